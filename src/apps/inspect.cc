// timbre inspect CHECKPOINT: what is in a file, without running anything of it.
#include <cstdio>

#include <nlohmann/json.hpp>

#include "apps/command.h"
#include "models/checkpoint_kind.h"

namespace timbre::apps {
namespace {

using nlohmann::json;

struct InspectOptions {
  std::string file;
  bool all_tensors = false;
  bool as_json = false;
};

std::string ShapeText(const std::vector<std::int64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

void PrintJson(const models::CheckpointSummary& summary) {
  json result = {{"kind", models::CheckpointKindName(summary.kind)},
                 {"variant", summary.variant},
                 {"container", summary.container},
                 {"version", summary.version},
                 {"state_path", summary.state_path},
                 {"parameters", summary.parameters},
                 {"values", json::object()},
                 {"tensors", json::array()}};
  for (const auto& [name, value] : summary.values) result["values"][name] = value;
  for (const auto& tensor : summary.tensors) {
    result["tensors"].push_back(
        {{"name", tensor.name}, {"dtype", nn::DTypeName(tensor.dtype)}, {"shape", tensor.shape}});
  }
  std::printf("%s\n", result.dump(-1, ' ', false, json::error_handler_t::replace).c_str());
}

void PrintText(const models::CheckpointSummary& summary, bool all_tensors) {
  std::printf("%s%s%s\n", models::CheckpointKindText(summary.kind),
              summary.variant.empty() ? "" : ", ", summary.variant.c_str());
  std::printf("container   %s%s%s\n", summary.container.c_str(),
              summary.version.empty() ? "" : ", version ", summary.version.c_str());
  std::printf("parameters  %.2f million in %zu tensors\n",
              static_cast<double>(summary.parameters) / 1e6, summary.tensors.size());
  for (const auto& [name, value] : summary.values) {
    std::printf("%-11s %s\n", name.c_str(), value.c_str());
  }
  constexpr std::size_t kShown = 12;
  const std::size_t shown = all_tensors ? summary.tensors.size() : kShown;
  for (std::size_t i = 0; i < summary.tensors.size() && i < shown; ++i) {
    const auto& tensor = summary.tensors[i];
    std::printf("  %-56s %-5s %s\n", tensor.name.c_str(), nn::DTypeName(tensor.dtype),
                ShapeText(tensor.shape).c_str());
  }
  if (summary.tensors.size() > shown) {
    std::printf("  and %zu more; --all shows them\n", summary.tensors.size() - shown);
  }
}

void Inspect(const InspectOptions& options) {
  const auto checkpoint = OrQuit(nn::Checkpoint::Open(options.file));
  const auto summary = models::SummarizeCheckpoint(checkpoint);
  if (options.as_json) {
    PrintJson(summary);
  } else {
    PrintText(summary, options.all_tensors);
  }
}

}  // namespace

void AddInspect(CLI::App& app) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* command = app.add_subcommand(
      "inspect", "Tell what a checkpoint is: container, model, sizes, tensors. Runs nothing of it");
  command->add_option("file", options->file, "safetensors or PyTorch file")->required();
  command->add_flag("--all", options->all_tensors, "List every tensor");
  command->add_flag("--json", options->as_json, "Print one JSON object");
  command->callback([options] { Inspect(*options); });
}

}  // namespace timbre::apps

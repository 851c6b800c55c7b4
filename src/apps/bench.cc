// timbre bench NAME: times one part on this machine. One JSON object per run with --json.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>

#include <nlohmann/json.hpp>

#include "apps/command.h"
#include "nn/random.h"
#include "synth/model_folder.h"
#include "synth/speak.h"
#include "synth/sv2tts/load_parts.h"

namespace timbre::apps {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

struct BenchOptions {
  std::string name;
  int repeats = 20;
  bool as_json = false;
  ModelOptions model;
};

double Milliseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

double Percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1,
                         static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

// Milliseconds of each of `repeats` calls, after two unmeasured ones.
std::vector<double> Time(int repeats, const std::function<void()>& call) {
  call();
  call();
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) {
    const auto start = Clock::now();
    call();
    times.push_back(Milliseconds(Clock::now() - start));
  }
  return times;
}

// GE2E vectors are non-negative and of unit length.
std::vector<float> AnySpeaker() {
  nn::Random random(1);
  std::vector<float> speaker(models::kSpeakerEmbeddingSize);
  float square = 0;
  for (auto& value : speaker) {
    value = std::max(0.0F, random.Normal());
    square += value * value;
  }
  for (auto& value : speaker) value /= std::sqrt(square);
  return speaker;
}

synth::ModelFiles Files(const BenchOptions& options) {
  const auto folder = options.model.model.empty() ? DefaultModelFolder()
                                                  : std::filesystem::path(options.model.model);
  return OrQuit(synth::ReadModelFolder(folder, DataFolder()));
}

nn::Precision Precision(const BenchOptions& options, json& result) {
  const auto choice =
      OrQuit(synth::DecidePrecision(options.model.precision, Files(options).vocoder));
  result["precision"] = nn::PrecisionName(choice.precision);
  result["precision_reason"] = choice.reason;
  return choice.precision;
}

// GE2E embedding of 6 s of speech.
void BenchEncoder(const BenchOptions& options, json& result) {
  const auto encoder = OrQuit(synth::LoadSpeakerEncoder(Files(options).speaker_encoder));
  result["precision"] = "f32";
  std::vector<float> samples(6 * 16000);
  nn::Random random(1);
  for (auto& sample : samples) sample = 0.1F * random.Normal();
  const auto times = Time(options.repeats, [&] { OrQuit(encoder->Embed(samples)); });
  result["encoder_ms"] = Percentile(times, 0.5);
  result["encoder_p95_ms"] = Percentile(times, 0.95);
}

constexpr const char* kSentence = "The harvest was late this year, but the farmers were happy.";

// One decoder step for 1 to 16 utterances together, and the text encoder before the first step.
void BenchSynthesizer(const BenchOptions& options, json& result) {
  const auto model =
      OrQuit(synth::LoadAcousticModel(Files(options).synthesizer, Precision(options, result)));
  const auto front_end = LoadFrontEnd();
  const auto analysis = OrQuit(front_end->Analyze(kSentence));
  const auto speaker = AnySpeaker();
  const auto start = [&] { return OrQuit(model->Start(analysis.pieces.front(), speaker, {})); };
  result["start_ms"] = Percentile(Time(options.repeats, [&] { start(); }), 0.5);
  constexpr int kSteps = 40;
  for (const int batch : {1, 2, 4, 8, 16}) {
    std::vector<double> steps;
    for (int repeat = 0; repeat < std::max(3, options.repeats / 4); ++repeat) {
      std::vector<std::unique_ptr<synth::AcousticUtterance>> own;
      std::vector<synth::AcousticUtterance*> group;
      for (int i = 0; i < batch; ++i) {
        own.push_back(start());
        group.push_back(own.back().get());
      }
      const auto begin = Clock::now();
      int done = 0;
      while (done < kSteps && !group.front()->decoded) {
        model->Step(group);
        ++done;
      }
      steps.push_back(Milliseconds(Clock::now() - begin) / done);
    }
    result["step_ms_by_batch"][std::to_string(batch)] = Percentile(steps, 0.5);
  }
  result["step_ms"] = result["step_ms_by_batch"]["1"];
}

// A stream of 80 ms chunks over 2 s, and one second at once.
void BenchVocoder(const BenchOptions& options, json& result) {
  const auto vocoder =
      OrQuit(synth::LoadVocoder(Files(options).vocoder, Precision(options, result)));
  const models::MelFormat format = vocoder->mel_format();
  const auto frames_per_second = static_cast<std::int64_t>(std::lround(format.frames_per_second()));
  nn::Random random(1);
  const auto mel = [&](std::int64_t frames) {
    nn::Tensor rows(frames, format.bins);
    for (std::int64_t i = 0; i < rows.size(); ++i) rows.data()[i] = -5.0F + 2.0F * random.Normal();
    return rows;
  };
  const nn::Tensor second = mel(frames_per_second);
  std::vector<float> samples;
  const auto whole = Time(std::max(3, options.repeats / 4), [&] {
    samples.clear();
    vocoder->Start(0)->Push(second, true, &samples);
  });
  result["one_second_ms"] = Percentile(whole, 0.5) * static_cast<double>(format.sample_rate) /
                            static_cast<double>(samples.size());
  const nn::Tensor chunk = mel(7);
  const std::int64_t chunks = 2 * frames_per_second / chunk.rows();
  const auto streamed = Time(std::max(3, options.repeats / 4), [&] {
    samples.clear();
    const auto stream = vocoder->Start(0);
    for (std::int64_t i = 0; i < chunks; ++i) stream->Push(chunk, i + 1 == chunks, &samples);
  });
  const double seconds = static_cast<double>(samples.size()) / format.sample_rate;
  result["vocoder_rtf"] = Percentile(streamed, 0.5) / 1000 / seconds;
  result["chunk_ms"] = Percentile(streamed, 0.5) / static_cast<double>(chunks);
}

class Discard : public synth::ChunkSink {
 public:
  bool Write(std::span<const float>) override { return true; }
};

// A sentence from text to the last sample, the voice cached.
void BenchSv2tts(const BenchOptions& options, json& result) {
  const auto load = Clock::now();
  const auto synthesizer = LoadModel(options.model);
  const auto front_end = LoadFrontEnd();
  result["load_ms"] = Milliseconds(Clock::now() - load);
  result["precision"] = nn::PrecisionName(synthesizer->info().precision);
  result["precision_reason"] = synthesizer->info().precision_reason;
  synth::Voice voice;
  voice.speaker_embedding = AnySpeaker();
  Discard sink;
  std::vector<double> first;
  std::vector<double> rtf;
  Time(options.repeats, [&] {
    const auto report =
        OrQuit(synth::SpeakText(*synthesizer, *front_end, kSentence, {}, voice, {}, {}, sink));
    first.push_back(report.first_audio_ms);
    rtf.push_back(report.total_ms / 1000 * synthesizer->info().sample_rate /
                  static_cast<double>(report.samples));
  });
  first.erase(first.begin(), first.begin() + 2);  // the unmeasured ones
  rtf.erase(rtf.begin(), rtf.begin() + 2);
  result["first_audio_ms"] = {{"p50", Percentile(first, 0.5)}, {"p95", Percentile(first, 0.95)}};
  result["rtf"] = Percentile(rtf, 0.5);
}

void Bench(const BenchOptions& options) {
  const nn::ThreadBudget threads = Threads(options.model);
  json result = {{"name", options.name},
                 {"cpu", nn::CpuName()},
                 {"instructions", nn::CpuInstructions()},
                 {"threads", nn::CurrentThreadBudget()}};
  if (options.name == "encoder") BenchEncoder(options, result);
  if (options.name == "synthesizer") BenchSynthesizer(options, result);
  if (options.name == "vocoder") BenchVocoder(options, result);
  if (options.name == "sv2tts") BenchSv2tts(options, result);
  if (options.as_json) {
    std::printf("%s\n", result.dump().c_str());
    return;
  }
  for (const auto& [key, value] : result.items()) {
    std::printf("%-20s %s\n", key.c_str(),
                value.is_string() ? value.get<std::string>().c_str() : value.dump().c_str());
  }
}

}  // namespace

void AddBench(CLI::App& app) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = app.add_subcommand("bench", "Time one part on this machine");
  command
      ->add_option("name", options->name,
                   "encoder (GE2E of 6 s), synthesizer (decoder steps), vocoder (80 ms chunks), "
                   "sv2tts (a sentence, voice cached)")
      ->required()
      ->check(CLI::IsMember({"encoder", "synthesizer", "vocoder", "sv2tts"}));
  command->add_option("--repeats", options->repeats, "Measured runs")
      ->check(CLI::Range(3, 10000))
      ->capture_default_str();
  command->add_flag("--json", options->as_json, "Print one JSON object");
  AddModelOptions(*command, options->model);
  command->callback([options] { Bench(*options); });
}

}  // namespace timbre::apps

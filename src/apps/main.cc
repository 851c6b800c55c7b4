// The timbre program: one subcommand per file of this folder.
#include <cstdio>
#include <exception>

#include "apps/command.h"

int main(int argc, char** argv) {
  timbre::nn::RestartWithPassiveWaiting(argv);
  CLI::App app{
      "timbre speaks in a cloned voice.\n\n"
      "  timbre say \"Hello, this is my voice.\" --voice samples/nova.wav -o hello.wav\n"
      "  timbre enroll recording.mp3 --name anna      keep a voice under a name\n"
      "  timbre say \"Nice to meet you.\" --voice anna -o - | aplay -f S16_LE -r 22050\n"};
  app.require_subcommand(1);
  app.set_version_flag("--version", TIMBRE_VERSION);
  app.get_formatter()->column_width(34);
  app.failure_message(CLI::FailureMessage::help);
  bool quiet = false;
  app.add_flag("-q,--quiet", quiet, "No progress lines")->each([](const std::string&) {
    timbre::apps::SetQuiet(true);
  });
  timbre::apps::AddSay(app);
  timbre::apps::AddEnroll(app);
  timbre::apps::AddVoices(app);
  timbre::apps::AddInspect(app);
  timbre::apps::AddBench(app);
  timbre::apps::AddCalibrate(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::RuntimeError& error) {
    return error.get_exit_code();
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "timbre: internal error: %s\n", error.what());
    return 1;
  }
  return 0;
}

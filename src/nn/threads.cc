#include "nn/threads.h"

#include <omp.h>
#include <sched.h>
#include <unistd.h>

#include <cstdlib>

#include "base/check.h"

namespace timbre::nn {
namespace {

thread_local int budget = 1;

}  // namespace

ThreadBudget::ThreadBudget(int threads) : outer_(budget) {
  TIMBRE_CHECK(threads >= 1);
  budget = threads;
}

ThreadBudget::~ThreadBudget() { budget = outer_; }

int CurrentThreadBudget() { return budget; }

int CpuCount() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return 1;
  return CPU_COUNT(&set);
}

void RestartWithPassiveWaiting(char** argv) {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
  if (setenv("OMP_WAIT_POLICY", "passive", 0) != 0) return;
  execv("/proc/self/exe", argv);
}

}  // namespace timbre::nn

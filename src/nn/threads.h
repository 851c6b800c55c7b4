// How many threads the layers use for one call. The default is one, whatever the machine has:
// single-threaded jobs side by side; two threads on one job pay on an idle machine only.
#pragma once

namespace timbre::nn {

// While one lives, layers called from this thread may use `threads` (>= 1) threads in all.
// Nested ones restore the outer.
class ThreadBudget {
 public:
  explicit ThreadBudget(int threads);
  ~ThreadBudget();
  ThreadBudget(const ThreadBudget&) = delete;
  ThreadBudget& operator=(const ThreadBudget&) = delete;

 private:
  int outer_;
};

int CurrentThreadBudget();
int CpuCount();  // processors this process may run on

// Threads that spin while they wait make two threads slower than one on a busy machine. libgomp
// reads its settings before main, so the way is to start anew: call this first in main. Unless the
// environment says otherwise it sets OMP_WAIT_POLICY=passive and executes the program again with
// the same arguments; it returns when that is done already, or cannot be done.
void RestartWithPassiveWaiting(char** argv);

}  // namespace timbre::nn

// How many threads the layers use for one call. The default is one: single-threaded jobs side by
// side; two threads on one job pay on an idle machine only.
//
// Every program that links a layer also gets, before libgomp starts, OMP_WAIT_POLICY=passive,
// GOMP_SPINCOUNT=0 and OMP_NUM_THREADS=1 unless its environment says otherwise: threads that spin
// while waiting make two threads slower than one on a busy machine.
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

}  // namespace timbre::nn

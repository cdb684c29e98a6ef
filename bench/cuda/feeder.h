/* Keeps some kernels of a process in flight, so that the GPU always has work of it. */
#ifndef XSCHED_FEEDER_H
#define XSCHED_FEEDER_H

#include <cuda_runtime.h>

class Feeder {
  public:
    Feeder()
    {
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        for (auto &event : events) {
            cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
        }
    }

    /* Launches what is missing, by a function of a stream; returns how many have ended so far. */
    template <typename Launch> unsigned long feed(Launch launch)
    {
        for (; launched - ended < IN_FLIGHT; launched++) {
            launch(stream);
            cudaEventRecord(events[launched % IN_FLIGHT], stream);
        }
        while (ended < launched && cudaEventQuery(events[ended % IN_FLIGHT]) == cudaSuccess) {
            ended++;
        }
        return ended;
    }

  private:
    static const unsigned long IN_FLIGHT = 8;
    cudaStream_t stream;
    cudaEvent_t events[IN_FLIGHT];
    unsigned long launched = 0, ended = 0;
};

#endif

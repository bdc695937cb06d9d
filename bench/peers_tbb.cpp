#include "peers.h"

#include <oneapi/tbb.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <vector>

namespace tbb = oneapi::tbb;

static std::unique_ptr<tbb::global_control> control;
static std::unique_ptr<tbb::task_arena> arena;

static void destroy_frame(void);

void tbb_use_threads(int threads) {
    destroy_frame();
    arena.reset();
    control.reset();
    if (threads == 0) return;
    control = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, threads);
    arena = std::make_unique<tbb::task_arena>(threads);
}

void tbb_spawn_and_wait(size_t batches, size_t batch) {
    arena->execute([&] {
        for (size_t i = 0; i < batches; i++) {
            tbb::task_group group;
            for (size_t k = 0; k < batch; k++) group.run([] {});
            group.wait();
        }
    });
}

static int fib(int n) {
    if (n < 2) return n;
    int a, b;
    tbb::task_group group;
    group.run([&] { a = fib(n - 1); });
    b = fib(n - 2);
    group.wait();
    return a + b;
}

int tbb_fib(int n) {
    int result = 0;
    arena->execute([&] { result = fib(n); });
    return result;
}

void tbb_for(size_t count, PeerRange function, void *user) {
    arena->execute([&] {
        tbb::parallel_for(tbb::blocked_range<size_t>(0, count), [&](const tbb::blocked_range<size_t> &range) {
            function(range.begin(), range.end(), user);
        });
    });
}

int64_t tbb_start_latency(void) {
    using clock = std::chrono::steady_clock;
    std::atomic<int64_t> started{ 0 };
    auto before = clock::now();
    arena->enqueue(
        [&] { started.store(clock::now().time_since_epoch().count(), std::memory_order_release); });
    while (started.load(std::memory_order_acquire) == 0) {}
    return started.load() - before.time_since_epoch().count();
}

// Created once, in the current arena; it may be run any number of times.
namespace {
struct Frame {
    using Node = tbb::flow::continue_node<tbb::flow::continue_msg>;
    tbb::flow::graph graph;
    std::vector<std::unique_ptr<Node>> nodes;
    Node *first;

    Node *add(void (*work)()) {
        nodes.push_back(std::make_unique<Node>(graph, [work](const tbb::flow::continue_msg &) {
            if (work != nullptr) work();
        }));
        return nodes.back().get();
    }

    Frame() {
        Node *gate = first = add(nullptr);
        for (int i = 0; i < 10; i++) {
            Node *before = gate;
            gate = add(nullptr);
            for (int k = 0; k < 20; k++) {
                Node *node = add(frame_work);
                tbb::flow::make_edge(*before, *node);
                tbb::flow::make_edge(*node, *gate);
            }
        }
    }
};
} // namespace

static std::unique_ptr<Frame> frame;

static void destroy_frame(void) { frame.reset(); }

void tbb_frame(void) {
    arena->execute([&] {
        if (!frame) frame = std::make_unique<Frame>();
        frame->first->try_put(tbb::flow::continue_msg());
        frame->graph.wait_for_all();
    });
}

/* Between fio, which is C, and lab's engines, which are C++: an io::Device behind
 * plain functions. Nothing here knows fio, and no exception passes. */
#ifndef LAB_ENGINES_FIO_BRIDGE_H
#define LAB_ENGINES_FIO_BRIDGE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Room for any error text; longer ones are cut. */
#define LAB_ERROR_BYTES 2048

/* One job's open device. */
struct lab_device;

/* One I/O that can be submitted again and again; belongs to one fio io_u. */
struct lab_io;

/* As lab::io::Op. */
enum lab_op { LAB_READ, LAB_WRITE, LAB_TRIM, LAB_SYNC };

struct lab_completion {
  void *user;
  int error;         /* 0 or a positive errno */
  uint64_t residual; /* bytes not transferred */
};

struct lab_io *lab_io_new(void *user);
void lab_io_free(struct lab_io *io);

/* 0, or a positive errno and nothing was taken. */
int lab_submit(struct lab_device *device, struct lab_io *io, enum lab_op op, uint64_t offset,
               uint64_t bytes, void *buffer);

/* Waits until at least `min` are complete or the timeout has passed (negative: for
 * ever); returns how many of at most `max` were written to `done`. */
unsigned lab_reap(struct lab_device *device, struct lab_completion *done, unsigned min,
                  unsigned max, int64_t timeout_ns);

/* Ends what is in flight, flushes and frees. Returns 0, or a positive errno with the
 * reason in `error`. */
int lab_close(struct lab_device *device, char error[LAB_ERROR_BYTES]);

#ifdef __cplusplus
}
#endif

#endif

/* The RBD engine behind bridge.h. */
#ifndef LAB_ENGINES_FIO_RBD_BRIDGE_H
#define LAB_ENGINES_FIO_RBD_BRIDGE_H

#include "engines/fio/bridge.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As lab::rbd::CacheMode. */
enum lab_rbd_cache {
  LAB_RBD_CACHE_OFF,
  LAB_RBD_CACHE_WRITETHROUGH,
  LAB_RBD_CACHE_WRITEBACK,
  LAB_RBD_CACHE_WRITEAROUND,
  LAB_RBD_CACHE_CONFIG,
};

/* As lab::rbd::Options; a null text is an empty one. */
struct lab_rbd_options {
  const char *clustername;
  const char *conf;
  const char *clientname;
  const char *keyring;
  const char *rados_conf;
  const char *pool;
  const char *name_space;
  const char *rbdname;
  unsigned cache;
  const char *effective;
  const char *counters;
  const char *job;
  unsigned subjob;
};

/* 0 and the image's size, or an errno and the reason. */
int lab_rbd_image_size(const struct lab_rbd_options *options, uint64_t *bytes,
                       char error[LAB_ERROR_BYTES]);

/* 0 and the open device, or an errno and the reason. */
int lab_rbd_open(const struct lab_rbd_options *options, struct lab_device **device,
                 char error[LAB_ERROR_BYTES]);

uint64_t lab_rbd_size(const struct lab_device *device);

/* Smaller trims are answered by librbd without trimming anything. */
uint64_t lab_rbd_discard_granularity(const struct lab_device *device);

/* Writes back and forgets what librbd has cached of the image, so that what is read
 * next comes from the cluster. */
int lab_rbd_drop_cache(struct lab_device *device, char error[LAB_ERROR_BYTES]);

#ifdef __cplusplus
}
#endif

#endif

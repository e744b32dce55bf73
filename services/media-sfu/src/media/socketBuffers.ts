/**
 * Kernel buffer of a UDP socket while its worker is busy or waiting for CPU. The Linux default of 208 KiB is full after
 * about 90 packets; four megabytes last for a second of a large meeting. The kernel silently caps it at
 * `net.core.rmem_max` and `net.core.wmem_max`.
 */
export const socketBuffers = { recvBufferSize: 4_194_304, sendBufferSize: 4_194_304 } as const;

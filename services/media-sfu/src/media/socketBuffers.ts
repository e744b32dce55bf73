/**
 * What the kernel keeps for a UDP socket while its worker is busy or waits for a processor. The default of Linux, 208 KiB,
 * is full after some 90 packets; four megabytes last for a second of a large meeting. The kernel gives no more than
 * `net.core.rmem_max` and `net.core.wmem_max` allow, and says nothing.
 */
export const socketBuffers = { recvBufferSize: 4_194_304, sendBufferSize: 4_194_304 } as const;

import { ortc, type types } from 'mediasoup';

/**
 * What rooms take, most compatible first. Retransmission, key frame requests and transport-wide congestion control come
 * with each from mediasoup's own table.
 */
export const mediaCodecs: types.RouterRtpCodecCapability[] = [
  {
    kind: 'audio',
    mimeType: 'audio/opus',
    clockRate: 48_000,
    channels: 2,
    // Silence costs nothing, and a lost packet is heard from the next one.
    parameters: { usedtx: 1, useinbandfec: 1, minptime: 10 },
  },
  { kind: 'video', mimeType: 'video/VP8', clockRate: 90_000 },
  { kind: 'video', mimeType: 'video/VP9', clockRate: 90_000, parameters: { 'profile-id': 0 } },
  {
    kind: 'video',
    mimeType: 'video/H264',
    clockRate: 90_000,
    parameters: { 'packetization-mode': 1, 'profile-level-id': '42e01f', 'level-asymmetry-allowed': 1 },
  },
  {
    kind: 'video',
    mimeType: 'video/H264',
    clockRate: 90_000,
    parameters: { 'packetization-mode': 1, 'profile-level-id': '42001f', 'level-asymmetry-allowed': 1 },
  },
  {
    kind: 'video',
    mimeType: 'video/H264',
    clockRate: 90_000,
    parameters: { 'packetization-mode': 0, 'profile-level-id': '42e01f', 'level-asymmetry-allowed': 1 },
  },
  { kind: 'video', mimeType: 'video/AV1', clockRate: 90_000 },
];

/** The same on every node of one version, whichever worker a room is on. */
export function routerRtpCapabilities(): types.RtpCapabilities {
  return ortc.generateRouterRtpCapabilities(mediaCodecs);
}

import { ortc, type types } from 'mediasoup';

/**
 * Codecs that rooms accept, most compatible first. Mediasoup's own table adds retransmission, key frame requests, and
 * transport-wide congestion control to each.
 */
export const mediaCodecs: types.RouterRtpCodecCapability[] = [
  {
    kind: 'audio',
    mimeType: 'audio/opus',
    clockRate: 48_000,
    channels: 2,
    // Silence costs no bandwidth, and a lost packet is recovered from the next one.
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

/** Returns the capabilities. Equal on every node of one version, regardless of a room's worker. */
export function buildRouterRtpCapabilities(): types.RtpCapabilities {
  return ortc.generateRouterRtpCapabilities(mediaCodecs);
}

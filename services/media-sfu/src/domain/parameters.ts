import { readInput } from '@nolo/kit/input';
import { mediaSources } from '@nolo/rules';
import type { types } from 'mediasoup';
import { z } from 'zod';
import { mediaInvalid } from '../errors.ts';

/**
 * Schemas for client input. Everything that reaches the worker is a number in range or a short string; mediasoup
 * validates its meaning.
 */
const id = z.string().min(1).max(100);
const shortText = z.string().min(1).max(100);
const uint8 = z.int().min(0).max(255);
const uint32 = z.int().min(0).max(0xff_ff_ff_ff);
const payloadType = z.int().min(0).max(127);
const codecParameters = z.record(z.string().max(100), z.union([z.string().max(1000), z.number(), z.null()]));
const rtcpFeedback = z.array(z.object({ type: shortText, parameter: z.string().max(100).optional() })).max(32);
const mimeType = z.string().regex(/^(audio|video)\/[\w.-]{1,50}$/i);
const clockRate = z.int().min(1).max(1_000_000);
const channels = z.int().min(1).max(255);

function areDistinct(values: readonly unknown[]): boolean {
  const given = values.filter((value) => value !== undefined);
  return new Set(given).size === given.length;
}

const rtpCapabilities = z.object({
  codecs: z
    .array(
      z.object({
        kind: z.enum(['audio', 'video']),
        mimeType,
        preferredPayloadType: payloadType.optional(),
        clockRate,
        channels: channels.optional(),
        parameters: codecParameters.optional(),
        rtcpFeedback: rtcpFeedback.optional(),
      }),
    )
    .max(100)
    .optional(),
  headerExtensions: z
    .array(
      z.object({
        kind: z.enum(['audio', 'video']),
        uri: shortText,
        preferredId: uint8.min(1),
        preferredEncrypt: z.boolean().optional(),
        direction: z.enum(['sendrecv', 'sendonly', 'recvonly', 'inactive']).optional(),
      }),
    )
    .max(64)
    .optional(),
});

const rtpParameters = z.object({
  mid: z.string().max(32).optional(),
  codecs: z
    .array(
      z.object({
        mimeType,
        payloadType,
        clockRate,
        channels: channels.optional(),
        parameters: codecParameters.optional(),
        rtcpFeedback: rtcpFeedback.optional(),
      }),
    )
    .min(1)
    .max(16),
  headerExtensions: z
    .array(
      z.object({
        uri: shortText,
        id: uint8.min(1),
        encrypt: z.boolean().optional(),
        parameters: codecParameters.optional(),
      }),
    )
    .max(32)
    .optional(),
  encodings: z
    .array(
      z.object({
        ssrc: uint32.optional(),
        rid: z
          .string()
          .regex(/^[A-Za-z0-9_-]{1,16}$/)
          .optional(),
        codecPayloadType: payloadType.optional(),
        rtx: z.object({ ssrc: uint32 }).optional(),
        dtx: z.boolean().optional(),
        scalabilityMode: z
          .string()
          .regex(/^[LS][1-3]T[1-3]h?(_KEY(_SHIFT)?)?$/)
          .optional(),
        maxBitrate: z.int().min(0).max(1_000_000_000).optional(),
      }),
    )
    .min(1)
    .max(8)
    // Streams with equal names could not be distinguished.
    .refine((encodings) => areDistinct(encodings.map(({ rid }) => rid)))
    .refine((encodings) => areDistinct(encodings.map(({ ssrc }) => ssrc))),
  rtcp: z
    .object({
      cname: z.string().max(255).optional(),
      reducedSize: z.boolean().optional(),
      mux: z.boolean().optional(),
    })
    .optional(),
  msid: z.string().max(255).optional(),
});

const dtlsParameters = z.object({
  role: z.enum(['auto', 'client', 'server']).optional(),
  fingerprints: z
    .array(
      z.object({
        algorithm: z.enum(['sha-1', 'sha-224', 'sha-256', 'sha-384', 'sha-512']),
        value: z.string().regex(/^[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){19,63}$/),
      }),
    )
    .min(1)
    .max(8),
});

const srtpParameters = z.object({
  cryptoSuite: z.enum(['AEAD_AES_256_GCM', 'AEAD_AES_128_GCM', 'AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32']),
  keyBase64: z.base64().min(1).max(100),
});

const tiles = z.array(
  z.object({
    participantId: id,
    source: z.enum(['camera', 'screen']),
    height: z.int().min(1).max(10_000),
    priority: z.int().min(1).max(255),
  }),
);

const maxJsonLength = 65_536;

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = readInput(schema, value);
  if ('data' in result) return result.data;
  // Reports paths only, because the values are the client's.
  throw mediaInvalid(result.faults.map(({ path, code }) => `${path.map(String).join('.')}: ${code}`).join('; '));
}

function parseJson<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  if (text.length > maxJsonLength) throw mediaInvalid('too long');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw mediaInvalid('no JSON');
  }
  return parse(schema, value);
}

export const parseMediaId = <T extends string = string>(text: string): T => parse(id, text) as T;
export const parseMediaKind = (text: string) => parse(z.enum(['audio', 'video']), text);
export const parseMediaSource = (text: string) => parse(z.enum(mediaSources), text);
export const parseShortSide = (value: unknown) => parse(z.int().min(1).max(8_640).optional(), value);
export const parseVisibleTiles = (value: unknown) => parse(tiles, value);
export type VisibleTile = z.output<typeof tiles>[number];

// Mediasoup's types restrict names (such as header extensions) that it validates itself.
export const parseRtpCapabilities = (text: string) => parseJson(rtpCapabilities, text) as types.RtpCapabilities;
export function parseRtpParameters(text: string, kind: 'audio' | 'video'): types.RtpParameters {
  const parameters = parseJson(rtpParameters, text);
  // Mediasoup trusts the client's kind and treats the packets accordingly.
  if (!parameters.codecs.every(({ mimeType: codec }) => codec.toLowerCase().startsWith(`${kind}/`))) {
    throw mediaInvalid(`codec is not ${kind}`);
  }
  if (kind === 'audio' && parameters.encodings.length > 1) throw mediaInvalid('audio with several encodings');
  return parameters as types.RtpParameters;
}
export const parseDtlsParameters = (text: string): types.DtlsParameters => parseJson(dtlsParameters, text);
export const parseSrtpParameters = (text: string): types.SrtpParameters => parseJson(srtpParameters, text);

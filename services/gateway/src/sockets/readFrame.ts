import { clientEventLimits, clientEvents, clientFrame, type ClientEventName } from '@nolo/api';
import { readInput } from '@nolo/kit/input';
import { limits, socketLimits } from '@nolo/rules';
import type { RawData } from 'ws';
import { checkJsonBounds } from '../domain/jsonBounds.ts';
import { createGatewayError } from '../errors.ts';

export interface FrameEnvelope {
  readonly type: string;
  readonly id: string | undefined;
  readonly data: unknown;
}

const malformed = () =>
  createGatewayError('invalid', 'frame_malformed', 'A frame must be JSON text of the form {"type","id","data"}.');

const tooLarge = (type: string | undefined) =>
  createGatewayError(
    'too_large',
    'frame_too_large',
    type === undefined
      ? `A frame of more than ${socketLimits.plainFrameBytes} bytes must begin with its type.`
      : 'This frame is too large for its type.',
  );

export function isEventName(type: string): type is ClientEventName {
  return Object.hasOwn(clientEvents, type);
}

/** Matches `type` and `id` in either order, if they precede all other fields. */
const beginning =
  /^\s*\{\s*(?:"id"\s*:\s*"([^"\\]{1,64})"\s*,\s*)?"type"\s*:\s*"(\w{1,64})"\s*(?:,\s*"id"\s*:\s*"([^"\\]{1,64})")?/;
const beginningBytes = 256;

/** Reads the type and ID from the first bytes of a frame, before parsing or validation. */
export function peekFrame(data: RawData): { type?: string | undefined; id?: string | undefined } {
  if (!Buffer.isBuffer(data)) return {};
  const found = beginning.exec(data.toString('latin1', 0, beginningBytes));
  return found ? { type: found[2], id: found[1] ?? found[3] } : {};
}

/** True if a frame of this type may turn something off and is no larger than that requires. */
export function mayBeTurnOffEvent(type: string | undefined, bytes: number): boolean {
  if (type === undefined || !isEventName(type)) return false;
  const { ends, bytes: maxBytes } = clientEventLimits[type];
  return ends !== undefined && bytes <= maxBytes;
}

/** True if the frame turns something off or leaves. */
export function isTurnOffEvent(type: ClientEventName, data: unknown): boolean {
  const field = clientEventLimits[type].ends;
  return field === true || (field !== undefined && (data as Record<string, unknown>)[field] === false);
}

function checkSize(bytes: number, type: string | undefined): void {
  if (type === undefined || !isEventName(type)) {
    if (bytes > socketLimits.plainFrameBytes) throw tooLarge(undefined);
  } else if (bytes > clientEventLimits[type].bytes) {
    throw tooLarge(type);
  }
}

/**
 * Parses a frame and counts its entries. Refuses a frame that is too large for its event, first by the type in its
 * first bytes before parsing, then by its parsed type.
 *
 * @throws AppError invalid frame_malformed, json_too_complex; too_large frame_too_large.
 */
export function readFrame(data: RawData, isBinary: boolean): FrameEnvelope & { readonly entries: number } {
  if (isBinary || !Buffer.isBuffer(data)) throw malformed();
  checkSize(data.length, peekFrame(data).type);
  const entries = checkJsonBounds(data, { depth: limits.jsonDepth, entries: limits.jsonEntries });
  let parsed: unknown;
  try {
    parsed = JSON.parse(data.toString('utf8'));
  } catch {
    throw malformed();
  }
  const frame = readInput(clientFrame, parsed);
  if ('faults' in frame) throw malformed();
  const { type, id } = frame.data;
  checkSize(data.length, type);
  return { type, id, data: frame.data.data ?? {}, entries };
}

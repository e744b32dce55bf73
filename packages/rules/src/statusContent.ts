import type { Envelope, EnvelopeFields } from './envelope.ts';
import { openEnvelope } from './envelope.ts';
import {
  statusBackgroundColors,
  statusFonts,
  statusTextColors,
  type StatusBackground,
  type StatusFont,
  type StatusTextColor,
} from './status.ts';

/** Contents of a status update's envelope, with the names of the public API. */
export interface StatusContent {
  content: string;
  backgroundColor: StatusBackground;
  textColor: StatusTextColor;
  font: StatusFont;
  /** Seconds of a video. */
  duration: number | null;
  mediaInfo: string | null;
  extra?: Record<string, unknown> | undefined;
}

/** Fields of a status update that are in its envelope, besides `content`. */
export const statusContentFields = ['backgroundColor', 'textColor', 'font', 'duration', 'mediaInfo', 'extra'] as const;

/** Returns the fields for the envelope. */
export function toStatusEnvelopeFields({
  content,
  extra,
  ...otherFields
}: { [Name in keyof StatusContent]?: StatusContent[Name] | null | undefined }): EnvelopeFields {
  const given = Object.entries(otherFields).filter(([, value]) => value !== undefined && value !== null);
  return { ...extra, ...(content && { text: content }), ...Object.fromEntries(given) };
}

/** Returns the offered value that a client sent, or the first one for any other. */
function oneOf<Value extends string>(offered: readonly Value[], given: unknown): Value {
  return offered.find((value) => value === given) ?? (offered[0] as Value);
}

/** Returns the status fields for the fields of an envelope, which the author's client may set to anything. */
export function toStatusContent(fields: EnvelopeFields | Envelope): StatusContent {
  const { v: _, text = '', mediaInfo = null, backgroundColor, textColor, font, duration, ...extra } = fields;
  return {
    content: text,
    backgroundColor: oneOf<StatusBackground>(statusBackgroundColors, backgroundColor),
    textColor: oneOf<StatusTextColor>(statusTextColors, textColor),
    font: oneOf<StatusFont>(statusFonts, font),
    duration: typeof duration === 'number' ? duration : null,
    mediaInfo,
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

/** Returns the content for readers. Encrypted content stays as it is. */
export function openStatusContent({ content, encryption }: { content: string; encryption: string }): StatusContent {
  return toStatusContent((encryption === 'none' ? openEnvelope(content) : undefined) ?? { text: content });
}

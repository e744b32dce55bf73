import { openEnvelope, sealEnvelope, type BaseStatusUpdate } from '@nolo/api';
import {
  countCharacters,
  isBlank,
  limits,
  statusBackgroundColors,
  statusFonts,
  statusTextColors,
  type Encryption,
  type StatusMediaType,
} from '@nolo/rules';
import { createGatewayError } from '../errors.ts';

/** Contents of a status update's envelope, with the names of the public API. */
type Inside = Pick<
  BaseStatusUpdate,
  'content' | 'backgroundColor' | 'textColor' | 'font' | 'duration' | 'mediaInfo' | 'extra'
>;

/** Status update as returned by status. */
export type SealedStatus = Omit<BaseStatusUpdate, keyof Inside> & { readonly content: string };

type Given = { [key in keyof Omit<Inside, 'content'>]?: Inside[key] | undefined } & { readonly content: string };

const statusInvalid = (message: string) => createGatewayError('invalid', 'status_invalid', message);

/** Refuses texts that are too long or have invalid characters. */
function checkTexts({ content, mediaInfo }: Given, mediaType: StatusMediaType): void {
  if (countCharacters(content) > limits.statusCaptionLength) {
    throw createGatewayError('too_large', 'status_too_large', 'The status update is too long.', {
      maxCharacters: limits.statusCaptionLength,
    });
  }
  for (const text of [content, mediaInfo]) {
    if (text?.includes('\0') === true || text?.isWellFormed() === false) {
      throw statusInvalid('The status update contains invalid characters.');
    }
  }
  if (mediaType === 'text' && isBlank(content)) {
    throw createGatewayError('invalid', 'status_blank', 'The status update is empty.');
  }
}

/**
 * Seals a plain status update from a client in an envelope (decision 37). Encrypted content is already sealed.
 *
 * @throws status_blank, status_invalid, status_too_large.
 */
export function sealStatus(
  { content, extra, ...otherFields }: Given,
  { encryption, mediaType }: { encryption: Encryption; mediaType: StatusMediaType },
): string {
  const givenFields = Object.entries(otherFields).filter(([, value]) => value !== undefined && value !== null);
  if (encryption !== 'none') {
    if (givenFields.length > 0 || extra)
      throw statusInvalid('Fields of an encrypted status update must be inside its content.');
    return content;
  }
  // Any valid 500 characters have far fewer bytes; longer input is refused without counting characters.
  if (Buffer.byteLength(content, 'utf8') > limits.statusContentBytes) {
    throw createGatewayError('too_large', 'status_too_large', 'The status update is too long.');
  }
  checkTexts({ content, ...otherFields }, mediaType);
  return sealEnvelope({ ...extra, ...(content !== '' && { text: content }), ...Object.fromEntries(givenFields) });
}

/** Returns the offered value that a client sent, or the first one for any other. */
function oneOf<Value extends string>(offered: readonly [Value, ...Value[]] | readonly Value[], given: unknown): Value {
  return offered.find((value) => value === given) ?? (offered[0] as Value);
}

/** Returns the content for readers. Encrypted content stays as it is. */
export function openStatus({ content, encryption }: { content: string; encryption: string }): Inside {
  const opened = encryption === 'none' ? openEnvelope(content) : undefined;
  const {
    v: _,
    text = '',
    mediaInfo = null,
    backgroundColor: background,
    textColor: wanted,
    font,
    duration,
    ...extra
  } = opened ?? { v: 1, text: content };
  return {
    content: text,
    backgroundColor: oneOf(statusBackgroundColors, background),
    textColor: oneOf(statusTextColors, wanted),
    font: oneOf(statusFonts, font),
    duration: typeof duration === 'number' ? duration : null,
    mediaInfo,
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

/** Converts the data of a status update frame from status's format to the one for sockets. */
export function openStatusFrame(data: SealedStatus): BaseStatusUpdate {
  return { ...data, ...openStatus(data) };
}

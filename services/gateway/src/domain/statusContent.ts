import {
  countCharacters,
  isBlank,
  limits,
  openStatusContent,
  sealEnvelope,
  toStatusEnvelopeFields,
  type Encryption,
  type StatusContent,
  type StatusMediaType,
} from '@nolo/rules';
import { createGatewayError } from '../errors.ts';
import { checkJsonBounds } from './jsonBounds.ts';

/** Content of a request: the fields of a simple client, or a sealed envelope. */
type Given = { [key in keyof Omit<StatusContent, 'content'>]?: StatusContent[key] | null | undefined } & {
  readonly content: string;
};

const statusInvalid = (message: string) => createGatewayError('invalid', 'status_invalid', message);

/** Refuses texts that are too long or have invalid characters. */
function checkTexts({ content, mediaInfo, duration }: Given, mediaType: StatusMediaType): void {
  if (mediaType !== 'video' && (duration ?? null) !== null) throw statusInvalid('Only a video can have a duration.');
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

/** Checks a plain envelope from a client by the rules for simple clients, without changing it. */
function checkEnvelope(envelope: string, mediaType: StatusMediaType): void {
  if (!envelope.isWellFormed()) throw statusInvalid('The status update contains invalid characters.');
  if (envelope.startsWith('{')) {
    checkJsonBounds(Buffer.from(envelope), { depth: limits.jsonDepth, entries: limits.jsonEntries });
  }
  const opened = openStatusContent({ content: envelope, encryption: 'none' });
  const { duration } = opened;
  if (duration !== null && !(duration >= 0 && duration <= limits.statusVideoSeconds)) {
    throw statusInvalid('The duration is invalid.');
  }
  if (Buffer.byteLength(opened.mediaInfo ?? '', 'utf8') > limits.mediaInfoBytes) {
    throw statusInvalid('The media description is too long.');
  }
  checkTexts(opened, mediaType);
}

/**
 * Returns the content to store: the envelope of a client that seals, or one for the fields of a simple client (decision
 * 37). Encrypted content is already sealed.
 *
 * @throws status_blank, status_invalid, status_too_large, json_too_complex.
 */
export function sealStatus(
  { envelope, ...given }: Given & { readonly envelope?: string | undefined },
  { encryption, mediaType }: { encryption: Encryption; mediaType: StatusMediaType },
): string {
  const { content, ...otherFields } = given;
  const hasFields = Object.values(otherFields).some((value) => value !== undefined && value !== null);
  if (hasFields && (envelope !== undefined || encryption !== 'none')) {
    throw statusInvalid('Fields of a sealed status update must be inside its envelope.');
  }
  const sealed = envelope ?? content;
  // Any valid 500 characters have far fewer bytes; longer input is refused without counting characters.
  if (encryption === 'none' && Buffer.byteLength(sealed, 'utf8') > limits.statusContentBytes) {
    throw createGatewayError('too_large', 'status_too_large', 'The status update is too long.');
  }
  if (envelope !== undefined && content !== '') {
    throw statusInvalid('A status update has either content or an envelope.');
  }
  if (encryption !== 'none') return sealed;
  if (envelope === undefined) checkTexts(given, mediaType);
  else checkEnvelope(envelope, mediaType);
  return envelope ?? sealEnvelope(toStatusEnvelopeFields(given));
}

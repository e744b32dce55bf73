import type { Message, SealedMessage, ServerFrame } from '@nolo/api';
import {
  contentsOfReply,
  messageContentFields,
  statusContentFields,
  toEnvelopeFields,
  toMessageContent,
  toStatusContent,
  toStatusEnvelopeFields,
  type EnvelopeFields,
  type MessageContent,
  type ReplyContent,
  type StatusContent,
} from '@nolo/rules';
import { allReady, whenReady, type ContentCodec, type ContentContext, type MaybePromise } from './codec.ts';
import { contentCodec } from './contentCodec.ts';

/**
 * The one place where a client opens and seals content (ADR 39). Content is opened when it arrives: from answers, from
 * frames, and from the device. It is sealed when it leaves: into requests, and onto the device. Imports nothing
 * dynamically, because Vite's code for that does not run in the service worker.
 */
export interface Content {
  readonly codec: ContentCodec;
  /** Opens the contents of an answer in place. */
  openReply<T>(place: ReplyContent | undefined, reply: T): MaybePromise<T>;
  /** Opens the content of a frame in place. */
  openFrame(frame: ServerFrame): MaybePromise<ServerFrame>;
  /** Returns a request body with its content sealed. */
  sealBody<T extends object>(seals: 'message' | 'status' | undefined, body: T): MaybePromise<object>;
  /** Returns a message of the device opened, and the reverse. Takes one that is open already. */
  openMessage<M extends SealedMessage>(message: M): MaybePromise<M & Message>;
  sealMessage<M extends Message>(message: M): MaybePromise<Omit<M, (typeof messageContentFields)[number]>>;
  /** Opens and seals status updates of the device in the same way. */
  openStatus<S extends OnDevice>(status: S): MaybePromise<S & StatusContent>;
  sealStatus<S extends OnDevice & StatusContent>(
    status: S,
  ): MaybePromise<Omit<S, (typeof statusContentFields)[number]>>;
  /** Seals a text that stays on the device. */
  sealText(text: string, context: Omit<ContentContext, 'encryption'>): MaybePromise<string>;
  openText(sealed: string, context: Omit<ContentContext, 'encryption'>): MaybePromise<string>;
}

interface OnDevice {
  readonly content: string;
  readonly encryption: string;
}

interface Arrived extends OnDevice {
  readonly messageType?: string;
  readonly conversationId?: string;
  readonly senderId?: string;
  readonly userId?: string;
}

/** Names of content in an answer that was opened by the server: an older one, or for an older tab. */
const openedSigns = { message: 'fileName', status: 'mediaInfo' } as const;

type Kind = keyof typeof openedSigns;

function without(value: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

function contextOf(kind: Kind, { encryption, conversationId, senderId, userId }: Arrived): ContentContext {
  // An envelope in `content` of a sealed message is that of this device. Its author's is never there.
  const own = encryption === 'epochs' ? 'none' : encryption;
  return { kind, encryption: own, conversationId, senderId: senderId ?? userId };
}

/** Content of system messages, which the server writes, and of erased ones is never sealed. */
const hasEnvelope = ({ content, messageType }: Arrived): boolean => content !== '' && messageType !== 'system';

/** Fields of the envelope in a message or status update, and their names. */
function envelopeOf(kind: Kind, one: object): { names: readonly string[]; fields: EnvelopeFields } {
  if (kind === 'message') {
    const fields = toEnvelopeFields(contentIn(one, messageContentFields) as Partial<MessageContent>);
    return { names: messageContentFields, fields };
  }
  const fields = toStatusEnvelopeFields(contentIn(one, statusContentFields) as Partial<StatusContent>);
  return { names: statusContentFields, fields };
}

export function createContent(codec: ContentCodec): Content {
  const fieldsOf = (kind: Kind, one: Arrived): MaybePromise<EnvelopeFields> =>
    hasEnvelope(one) ? codec.open(one.content, contextOf(kind, one)) : { text: one.content };

  /** Returns the fields to add to a message or status update. */
  const open = (kind: Kind, one: Arrived): MaybePromise<object> => {
    if (typeof one.content !== 'string' || openedSigns[kind] in one) return {};
    return whenReady(fieldsOf(kind, one), (fields): object =>
      kind === 'message' ? toMessageContent(fields) : toStatusContent(fields),
    );
  };
  const openInPlace = (kind: Kind, one: object): MaybePromise<object> =>
    whenReady(open(kind, one as Arrived), (fields) => Object.assign(one, fields));

  const openReply: Content['openReply'] = (place, reply) => {
    if (place === undefined) return reply;
    const kind = place === 'status' || place === 'statuses' ? 'status' : 'message';
    return whenReady(allReady(contentsOfReply(place, reply).map((one) => openInPlace(kind, one))), () => reply);
  };

  const seal = (kind: Kind, one: Arrived): MaybePromise<object> => {
    const { names, fields } = envelopeOf(kind, one);
    const isBare = one.messageType === 'system' || Object.keys(fields).length === 0;
    const sealed = isBare ? one.content : codec.seal(fields, contextOf(kind, one));
    return whenReady(sealed, (content) => ({ ...without(one, names), content }));
  };

  return {
    codec,
    openReply,
    openFrame(frame) {
      if (frame.type === 'new_message' || frame.type === 'message_updated') {
        return whenReady(openInPlace('message', frame.data), () => frame);
      }
      return frame.type === 'status_posted' ? whenReady(openInPlace('status', frame.data), () => frame) : frame;
    },
    sealBody(seals, body) {
      if (seals === undefined || ('encryption' in body && body.encryption !== 'none')) return body;
      const { names, fields } = envelopeOf(seals, body);
      const outside = without(body, [...names, 'content']);
      const context = contextOf(seals, { content: '', encryption: 'none', ...outside });
      return whenReady(codec.seal(fields, context), (envelope) => ({
        ...outside,
        envelope,
        // Servers of 0.3.0, where it is optional, refuse this instead of losing the envelope. Remove in 0.5.0.
        ...(seals === 'status' && { content: null }),
        // Servers see neither the text nor the preview, which implies a link.
        ...(seals === 'message' && fields.linkPreview !== undefined && { hasLink: true }),
      }));
    },
    openMessage<M extends SealedMessage>(message: M) {
      return whenReady(open('message', message), (fields) => ({ ...message, ...fields }) as M & Message);
    },
    sealMessage: (message) => seal('message', message) as never,
    openStatus<S extends OnDevice>(status: S) {
      return whenReady(open('status', status), (fields) => ({ ...status, ...fields }) as S & StatusContent);
    },
    sealStatus: (status) => seal('status', status) as never,
    sealText: (text, context) => codec.seal({ text }, { ...context, encryption: 'none' }),
    openText: (sealed, context) =>
      whenReady(codec.open(sealed, { ...context, encryption: 'none' }), ({ text = '' }) => text),
  };
}

function contentIn(value: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name === 'content' || names.includes(name)));
}

/** Passes frames on in their order, each once it is open. */
export function openFramesInOrder(
  openFrame: Content['openFrame'],
  onFrame: (frame: ServerFrame) => void,
): (frame: ServerFrame) => void {
  let waiting: Promise<unknown> | undefined;
  return (frame) => {
    const opened = openFrame(frame);
    if (waiting === undefined && !(opened instanceof Promise)) return onFrame(opened);
    const turn = Promise.all([opened, waiting]).then(([one]) => onFrame(one));
    const settled = turn.then(
      () => undefined,
      () => undefined,
    );
    waiting = settled;
    void settled.then(() => {
      if (waiting === settled) waiting = undefined;
    });
  };
}

/** Content of this build. */
export const content: Content = createContent(contentCodec);

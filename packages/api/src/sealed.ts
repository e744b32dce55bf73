import type { messageContentFields, statusContentFields } from '@nolo/rules';
import type { Message } from './schemas.ts';
import type { BaseStatusUpdate } from './statusSchemas.ts';

/** Message with its envelope in `content`, as clients get it that open envelopes themselves (ADR 39). */
export type SealedMessage = Omit<Message, (typeof messageContentFields)[number]>;

/** Status update with its envelope in `content`. */
export type SealedStatus = Omit<BaseStatusUpdate, (typeof statusContentFields)[number]>;

/** Answer with envelopes in place of the contents of its messages and status updates. */
export type Sealed<T> = T extends readonly (infer Item)[]
  ? Sealed<Item>[]
  : T extends { content: string; encryption: string }
    ? Omit<T, (typeof messageContentFields | typeof statusContentFields)[number]>
    : T extends object
      ? { [Key in keyof T]: Sealed<T[Key]> }
      : T;

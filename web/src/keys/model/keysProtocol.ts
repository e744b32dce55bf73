import type { Conversations } from '@nolo/client/keys/conversations/types';
import type { Keys, KeysPhase, KeysState, NewerList } from '@nolo/client/keys/types';

/** Methods that a tab calls in the worker. The worker starts and stops by itself. */
export const keysMethods = [
  'beginLink',
  'scanLinkCode',
  'answerLink',
  'confirmLink',
  'typeDigits',
  'cancelLink',
  'createRecoveryWords',
  'setRecovery',
  'checkRecoveryWords',
  'wrapRecovery',
  'unwrapRecovery',
  'passkeyInput',
  'recover',
  'startOver',
  'removeDevices',
  'answerRestart',
  'dismissNotice',
  'agreeToFork',
  'setListAside',
  'lookUp',
  'numberWith',
  'verificationCode',
  'scanVerificationCode',
  'setVerified',
  'acceptIdentity',
  'setAside',
] as const satisfies readonly (keyof Keys)[];
type KeysMethod = (typeof keysMethods)[number];

/** Keys as a tab uses them. */
export type KeysClient = Pick<Keys, KeysMethod>;

/** Methods of sealed conversations that a tab calls in the worker. */
export const conversationMethods = [
  'open',
  'gaps',
  'overview',
  'listSealed',
  'seal',
  'acknowledged',
  'signDeletion',
  'deletionAcknowledged',
  'standing',
  'answer',
  'change',
  'createInvite',
  'signEntry',
  'signAdditions',
  'signLeave',
] as const satisfies readonly (keyof Conversations)[];
type ConversationMethod = (typeof conversationMethods)[number];

/** Sealed conversations as a tab asks for them. */
export type ConversationsClient = Pick<Conversations, ConversationMethod>;

/** Live frame that concerns sealed conversations. */
export type ConversationsFrame = Parameters<Conversations['onFrame']>[0];

/** Method of one of the worker's two ports. */
export type WorkerMethod =
  | { readonly of: 'keys'; readonly method: KeysMethod }
  | { readonly of: 'conversations'; readonly method: ConversationMethod };

/** Live frame that concerns keys. */
export type KeysFrame = Parameters<Keys['onFrame']>[0];

export type TabToWorker =
  /** Sent once. `aheadMs` is how far the server's clock is ahead of the device's. `storage` leads to the tab's. */
  | { readonly type: 'start'; readonly userId: string; readonly aheadMs: number; readonly storage: MessagePort }
  | { readonly type: 'clock'; readonly aheadMs: number }
  | { readonly type: 'frame'; readonly frame: KeysFrame }
  | { readonly type: 'conversations_frame'; readonly frame: ConversationsFrame }
  | ({ readonly type: 'call'; readonly id: number; readonly args: readonly unknown[] } & WorkerMethod);

/** Error on its way to the tab. Classes do not survive it. */
export type CarriedError =
  | {
      readonly kind: 'api';
      readonly status: number;
      readonly code: string;
      readonly message: string;
      readonly details: Record<string, unknown>;
      readonly retryAfterMs: number | undefined;
    }
  | {
      readonly kind: 'keys';
      readonly code: string;
      readonly message: string;
      /** Of `newer_in_vault`. */
      readonly newer?: NewerList;
    };

export type Unavailable = Extract<KeysPhase, { name: 'unavailable' }>['reason'];

export type WorkerToTab =
  | { readonly type: 'state'; readonly state: KeysState }
  /** Rows or the standing of a conversation may have changed; null: of any. */
  | { readonly type: 'conversation_changed'; readonly id: string | null }
  | { readonly type: 'unavailable'; readonly reason: Unavailable }
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly type: 'refusal'; readonly id: number; readonly error: CarriedError };

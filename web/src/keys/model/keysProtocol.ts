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
export type KeysMethod = (typeof keysMethods)[number];

/** Keys as a tab uses them. */
export type KeysClient = Pick<Keys, KeysMethod>;

/** Live frame that concerns keys. */
export type KeysFrame = Parameters<Keys['onFrame']>[0];

export type TabToWorker =
  /** Sent once. `aheadMs` is how far the server's clock is ahead of the device's. `storage` leads to the tab's. */
  | { readonly type: 'start'; readonly userId: string; readonly aheadMs: number; readonly storage: MessagePort }
  | { readonly type: 'clock'; readonly aheadMs: number }
  | { readonly type: 'frame'; readonly frame: KeysFrame }
  | { readonly type: 'call'; readonly id: number; readonly method: KeysMethod; readonly args: readonly unknown[] };

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
  | { readonly type: 'unavailable'; readonly reason: Unavailable }
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly type: 'refusal'; readonly id: number; readonly error: CarriedError };

import type { Bytes } from '@nolo/e2ee';
import type { KeyStore } from './keyStore.ts';
import type { KeysPorts } from './ports.ts';

/** Ports and account that all parts of a device's keys work with. */
export interface KeyContext extends Pick<KeysPorts, 'call' | 'newId' | 'kind' | 'keyForm' | 'deviceNow'> {
  readonly account: Bytes;
  readonly store: KeyStore;
  /** Milliseconds since 1970, as the server's clock has it. */
  now(): number;
}

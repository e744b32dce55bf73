import { createContent, type Content } from '@nolo/client/content/content';
import { createDeviceCodec } from '@nolo/client/content/deviceCodec';
import type { AccountDatabase } from './accountDatabase.ts';

/** Returns what seals and opens an account's contents on this device (ADR 39). */
export const deviceContentOf = ({ storeKey }: Pick<AccountDatabase, 'storeKey'>): Content =>
  createContent(createDeviceCodec(storeKey));

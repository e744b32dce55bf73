import type { ContentCodec } from '@nolo/client/content/codec';
import { createContent, type Content } from '@nolo/client/content/content';
import type { AccountDatabase } from './accountDatabase.ts';

type Keys = Pick<AccountDatabase, 'storeKey'>;

/** Returns the codec of this device, whose code loads with its first use: an empty device has nothing to open. */
function createLazyCodec({ storeKey }: Keys): ContentCodec {
  let loading: Promise<ContentCodec> | undefined;
  const load = (): Promise<ContentCodec> =>
    (loading ??= import('@nolo/client/content/deviceCodec')
      .then(({ createDeviceCodec }) => createDeviceCodec(storeKey))
      .catch((error: unknown) => {
        loading = undefined;
        throw error;
      }));
  return {
    isPlain: false,
    seal: async (...given) => (await load()).seal(...given),
    open: async (...given) => (await load()).open(...given),
    sealBytes: async (...given) => (await load()).sealBytes(...given),
    openBytes: async (...given) => (await load()).openBytes(...given),
  };
}

/** Returns what seals and opens an account's contents on this device (ADR 39). */
export const deviceContentOf = (keys: Keys): Content => createContent(createLazyCodec(keys));

import { utf8, type Bytes } from '@nolo/e2ee/bytes';
import { Refusal } from '@nolo/e2ee/refusal';
import { openFromStore, sealForStore, type StoreKey } from '@nolo/e2ee/storeKey';
import type { EnvelopeFields } from '@nolo/rules';
import { fromText, toText } from './base64Url.ts';
import { plainCodec, type ContentCodec } from './codec.ts';

/** First character of sealed contents. No text of a message or draft has it, and no plain envelope begins with it. */
const mark = '\u0000';

const decoder = new TextDecoder();

/**
 * Seals what stays on this device under a key of the engine. Contents that previous releases stored open are returned
 * as they are, and are sealed when they are stored again. Opening rejects with `Refusal` if the key is another one, and
 * everything rejects with what `keyOf` rejects with.
 *
 * @param keyOf returns the key; undefined where the engine has none, and contents then stay open
 */
export function createDeviceCodec(keyOf: () => Promise<StoreKey | undefined>): ContentCodec {
  return {
    isPlain: false,
    async seal(fields, context) {
      const key = await keyOf();
      if (!key) return plainCodec.seal(fields, { ...context, encryption: 'none' });
      return mark + toText(await sealForStore(key, utf8(JSON.stringify(fields))));
    },
    async open(content, context) {
      if (!content.startsWith(mark)) return plainCodec.open(content, context);
      const key = await keyOf();
      if (!key) throw new Refusal('unopened', 'the key is gone');
      const bytes = await openFromStore(key, fromText(content.slice(mark.length)));
      return JSON.parse(decoder.decode(bytes)) as EnvelopeFields;
    },
    async sealBytes(bytes) {
      const key = await keyOf();
      return key ? sealForStore(key, bytes as Bytes) : bytes;
    },
    async openBytes(bytes) {
      const key = await keyOf();
      return key ? openFromStore(key, bytes as Bytes) : bytes;
    },
  };
}

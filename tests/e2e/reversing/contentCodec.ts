import { createReversingCodec } from '../../../packages/client/tests/reversingCodec.ts';

/** Stands in for the codec of the app (packages/client/src/content/contentCodec.ts). */
export const contentCodec = createReversingCodec();

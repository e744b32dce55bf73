import { plainCodec, type ContentCodec } from './codec.ts';

/** Codec of this build. Tests build the app with another one in this file's place. */
export const contentCodec: ContentCodec = plainCodec;

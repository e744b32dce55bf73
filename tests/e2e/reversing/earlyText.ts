/** Stands in for the early part of the codec (packages/client/src/content/earlyText.ts). */
export { reverseText as openEarlyText } from '../../../packages/client/tests/reversingCodec.ts';

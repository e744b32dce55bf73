/** Stands in for the early part of the codec (packages/client/src/content/earlyText.ts), which imports nothing. */
export { reverseText as openEarlyText } from '../../../packages/client/tests/reverseText.ts';

/** Reverses a text by code points, so that it stays well-formed. */
export const reverseText = (text: string): string => Array.from(text).reverse().join('');

import { cleanNameWithin } from './names.ts';

/** Branding of rooms (Business): constraints that server and clients share. */
export const brandNameLength = 40;

/** Exactly six digits: the meaning of a CSS name or function would be up to others. */
export const brandColorPattern = /^#[0-9a-f]{6}$/i;

export const isBrandName = (name: string): boolean =>
  cleanNameWithin(name, { min: 1, max: brandNameLength }) !== undefined;

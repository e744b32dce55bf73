import { nameWithin } from './names.ts';

/** What a branded room carries (Business): server and clients agree on what that may be. */
export const brandNameLength = 40;

/** Six digits and nothing else: a name or a function of CSS would be somebody else's to interpret. */
export const brandColor = /^#[0-9a-f]{6}$/i;

export const isBrandName = (name: string): boolean => nameWithin(name, { min: 1, max: brandNameLength }) !== undefined;

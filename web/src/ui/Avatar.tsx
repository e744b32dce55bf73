import { cutText } from '@nolo/rules';
import { useState } from 'react';
import { classNames } from './classNames.ts';
import { PresenceDot, type Presence } from './PresenceDot.tsx';

type AvatarSize = 24 | 32 | 40 | 48 | 56 | 96;

export interface AvatarProps {
  /** Name of the person or group, which determines the initials and the tint. */
  name: string;
  imageUrl?: string | null;
  presence?: Presence;
  size?: AvatarSize;
  className?: string;
}

const sizes: Record<AvatarSize, string> = {
  24: 'size-6 text-12',
  32: 'size-8 text-12',
  40: 'size-10 text-14',
  48: 'size-12 text-16',
  56: 'size-14 text-20',
  96: 'size-24 text-32',
};

/** Tints, with colors defined in tokens.css. */
const tints = [
  { surface: 'bg-tint-1', text: 'text-tint-1-text' },
  { surface: 'bg-tint-2', text: 'text-tint-2-text' },
  { surface: 'bg-tint-3', text: 'text-tint-3-text' },
  { surface: 'bg-tint-4', text: 'text-tint-4-text' },
  { surface: 'bg-tint-5', text: 'text-tint-5-text' },
  { surface: 'bg-tint-6', text: 'text-tint-6-text' },
  { surface: 'bg-tint-7', text: 'text-tint-7-text' },
  { surface: 'bg-tint-8', text: 'text-tint-8-text' },
  { surface: 'bg-tint-9', text: 'text-tint-9-text' },
  { surface: 'bg-tint-10', text: 'text-tint-10-text' },
];

/**
 * Returns a name's initials as people read them: of its first and last word, upper-cased, with their combining marks. A
 * name that begins with another character, such as a number or emoji, is shown by that.
 */
export function initialsOf(name: string, maxLetters: 1 | 2 = 2): string {
  // A number shows its first digit, not its plus sign.
  const readable = name.trim().replace(/^[+\s(]+/, '') || name.trim() || '?';
  const last = maxLetters === 2 && /^\p{L}/u.test(readable) ? /\s\P{L}*(\p{L}\p{M}*)\S*$/u.exec(readable)?.[1] : '';
  return (cutText(readable, 1, 'graphemes') + (last ?? '')).toLocaleUpperCase();
}

/**
 * Returns a name's tint, the same everywhere and on every device: a surface with its text color, which is also legible
 * on our surfaces.
 */
export function tintOf(name: string): { surface: string; text: string } {
  let hash = 0;
  for (const character of name.trim()) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  // Mixes the hash, because its plain remainder depends on the sum of the letters alone.
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return tints[((mixed ^ (mixed >>> 12)) >>> 0) % tints.length] ?? { surface: '', text: '' };
}

/**
 * Round picture over initials: if it is missing, loading, or broken, the initials show, so nothing jumps. Hidden from
 * screen readers, because the name is beside it, but presence is announced.
 */
export function Avatar({ name, imageUrl, presence, size = 40, className }: AvatarProps) {
  const [failedUrl, setFailedUrl] = useState<string>();
  const shown = imageUrl && imageUrl !== failedUrl ? imageUrl : undefined;
  const tint = tintOf(name);
  return (
    <span className={classNames('relative inline-flex shrink-0 select-none', sizes[size], className)}>
      <span
        aria-hidden="true"
        data-avatar
        className={classNames(
          'flex size-full items-center justify-center overflow-hidden rounded-full font-semibold',
          tint.surface,
          tint.text,
        )}
      >
        {shown === undefined ? (
          // Drawn by CSS rather than as text, so that it is no part of a surrounding button's name. The smallest size
          // has room for one letter.
          <span
            data-initials={initialsOf(name, size === 24 ? 1 : 2)}
            className="before:content-[attr(data-initials)]"
          />
        ) : (
          <img
            src={shown}
            alt=""
            draggable={false}
            loading="lazy"
            decoding="async"
            className="size-full object-cover"
            onError={() => setFailedUrl(shown)}
          />
        )}
      </span>
      {presence !== undefined && (
        <PresenceDot
          presence={presence}
          className={classNames(
            'absolute! end-0 bottom-0 ring-2 ring-panel',
            size <= 24 ? 'size-2' : size >= 96 ? 'end-1.5 bottom-1.5 size-4' : size >= 48 ? 'size-3' : 'size-2.5',
          )}
        />
      )}
    </span>
  );
}

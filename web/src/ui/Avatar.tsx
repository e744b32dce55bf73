import { useState } from 'react';
import { classNames } from './classNames.ts';
import { PresenceDot } from './PresenceDot.tsx';
import type { Presence } from './PresenceDot.tsx';

export type AvatarSize = 24 | 32 | 40 | 48 | 56 | 96;

export interface AvatarProps {
  /** The person's or group's name: gives the initial and the tint. */
  name: string;
  imageUrl?: string | null;
  presence?: Presence;
  size?: AvatarSize;
  className?: string;
}

const sizes: Record<AvatarSize, string> = {
  24: 'size-6 text-12',
  32: 'size-8 text-13',
  40: 'size-10 text-16',
  48: 'size-12 text-20',
  56: 'size-14 text-20',
  96: 'size-24 text-32',
};

const tints = [
  { surface: 'bg-[light-dark(#dcefe6,#1c3d31)]', text: 'text-[light-dark(#0c5c43,#8fe0c1)]' },
  { surface: 'bg-[light-dark(#fbe6d4,#45301c)]', text: 'text-[light-dark(#85480f,#f5c18d)]' },
  { surface: 'bg-[light-dark(#e2e7fa,#262e52)]', text: 'text-[light-dark(#37479c,#b4c1ff)]' },
  { surface: 'bg-[light-dark(#f8dfe4,#482430)]', text: 'text-[light-dark(#972f4b,#ffb0c2)]' },
  { surface: 'bg-[light-dark(#f4eac6,#3c3413)]', text: 'text-[light-dark(#6d5706,#e9d27b)]' },
  { surface: 'bg-[light-dark(#d9edf3,#183a45)]', text: 'text-[light-dark(#135c72,#93d6ea)]' },
  { surface: 'bg-[light-dark(#ecdff5,#392748)]', text: 'text-[light-dark(#6b3591,#dcb6f6)]' },
];

/** Made once: making one takes longer than a hundred names do. */
let graphemes: Intl.Segmenter | undefined;

/** The first letter of a name as a person would read it: a whole grapheme, upper-cased. */
export function initialOf(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') return '?';
  // A number shows its first digit, not its plus sign.
  const readable = trimmed.replace(/^[+\s(]+/, '') || trimmed;
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const [first] = graphemes.segment(readable);
  return (first?.segment ?? '?').toLocaleUpperCase();
}

/** The same name has the same tint everywhere and on every device: a surface with its text, which is read on ours too. */
export function tintOf(name: string): { surface: string; text: string } {
  let hash = 0;
  for (const character of name.trim()) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return tints[hash % tints.length] ?? { surface: '', text: '' };
}

/**
 * A round picture with the initial behind it: what is missing, loading or broken shows the letter,
 * so nothing jumps. Hidden from screen readers, for the name stands beside it; presence is spoken.
 */
export function Avatar({ name, imageUrl, presence, size = 40, className }: AvatarProps) {
  const [failedUrl, setFailedUrl] = useState<string>();
  const shown = imageUrl && imageUrl !== failedUrl ? imageUrl : undefined;
  const tint = tintOf(name);
  return (
    <span className={classNames('relative inline-flex shrink-0 select-none', sizes[size], className)}>
      <span
        aria-hidden="true"
        className={classNames(
          'flex size-full items-center justify-center overflow-hidden rounded-full font-semibold',
          tint.surface,
          tint.text,
        )}
      >
        {shown === undefined ? (
          // Drawn, and no text: it is no part of what a button around it is called.
          <span data-initial={initialOf(name)} className="before:content-[attr(data-initial)]" />
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

import { findLinks } from '@nolo/rules';
import { Fragment } from 'react';
import { trueHost } from './lookAlikes.ts';
import { classNames } from '../../../ui/classNames.ts';
import { clipMarks } from './clipMarks.ts';
import { splitMentions } from './mentions.ts';
import { SafeLink } from './SafeLink.tsx';
import type { Mentioned } from './mentions.ts';

export const linkClasses =
  'rounded-[3px] text-accent-text underline decoration-1 underline-offset-2 [unicode-bidi:isolate] hover:decoration-2';

/** Words with the people they mention, and with links that tell the other side nothing of where they were found. */
export function Words({ text, people }: { text: string; people: readonly Mentioned[] }) {
  return splitMentions(clipMarks(text), people).map((part, index) =>
    part.mentioned ? (
      <span
        // The parts of one text never move.
        key={index}
        data-mention={part.mentioned.self ? 'self' : 'other'}
        className={classNames(
          'rounded-[4px] font-semibold [unicode-bidi:isolate]',
          part.mentioned.self ? 'bg-accent px-0.5 text-on-accent' : 'text-accent-text',
        )}
      >
        @{part.mentioned.label}
      </span>
    ) : (
      <Links key={index} text={part.text} />
    ),
  );
}

function Links({ text }: { text: string }) {
  return findLinks(text).map((part, index) =>
    part.href === null ? (
      part.text
    ) : (
      <Fragment key={index}>
        <SafeLink href={part.href} className={linkClasses}>
          {part.text}
        </SafeLink>
        <TrueHost host={trueHost(part.text)} />
      </Fragment>
    ),
  );
}

/** Beside a link that reads as if it led elsewhere. */
export function TrueHost({ host }: { host: string | undefined }) {
  return host !== undefined && <span className="text-muted [unicode-bidi:isolate]"> ({host})</span>;
}

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

/** Renders text with mentions, and with links that send no referrer. */
export function Words({ text, people }: { text: string; people: readonly Mentioned[] }) {
  return splitMentions(clipMarks(text), people).map((part, index) =>
    part.mentioned ? (
      <span
        // Parts of a text never change their order.
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

/** Shows the true host beside a misleading link. */
export function TrueHost({ host }: { host: string | undefined }) {
  return host !== undefined && <span className="text-muted [unicode-bidi:isolate]"> ({host})</span>;
}

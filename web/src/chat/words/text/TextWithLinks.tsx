import { splitTextAtLinks } from '@nolo/rules';
import { Fragment } from 'react';
import { findRealHost } from './lookAlikes.ts';
import { classNames } from '../../../ui/classNames.ts';
import { clipCombiningMarks } from './clipCombiningMarks.ts';
import { splitMentions, type MentionedPerson } from './mentions.ts';
import { SafeLink } from './SafeLink.tsx';

export const linkClasses =
  'rounded-[3px] text-accent-text underline decoration-1 underline-offset-2 [unicode-bidi:isolate] hover:decoration-2';

/** Renders text with mentions, and with links that send no referrer. */
export function TextWithLinks({ text, people }: { text: string; people: readonly MentionedPerson[] }) {
  return splitMentions(clipCombiningMarks(text), people).map((segment, index) =>
    segment.mentioned ? (
      <span
        // Parts of a text never change their order.
        key={index}
        data-mention={segment.mentioned.self ? 'self' : 'other'}
        className={classNames(
          'rounded-[4px] font-semibold [unicode-bidi:isolate]',
          segment.mentioned.self ? 'bg-accent px-0.5 text-on-accent' : 'text-accent-text',
        )}
      >
        @{segment.mentioned.label}
      </span>
    ) : (
      <Links key={index} text={segment.text} />
    ),
  );
}

function Links({ text }: { text: string }) {
  return splitTextAtLinks(text).map((segment, index) =>
    segment.href === null ? (
      segment.text
    ) : (
      <Fragment key={index}>
        <SafeLink href={segment.href} className={linkClasses}>
          {segment.text}
        </SafeLink>
        <RealHost host={findRealHost(segment.text)} />
      </Fragment>
    ),
  );
}

/** Shows the true host beside a misleading link. */
export function RealHost({ host }: { host: string | undefined }) {
  return host !== undefined && <span className="text-muted [unicode-bidi:isolate]"> ({host})</span>;
}

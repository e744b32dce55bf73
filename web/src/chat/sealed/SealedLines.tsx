import { Lock, Unlink } from 'lucide-react';
import { useEffect } from 'react';
import { formatExactTime } from '../../i18n/dates.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useChat } from '../context/chatContext.ts';
import { detailsPaneStore } from '../context/detailsPaneStore.ts';
import { notesTexts } from '../words/describeSystemMessage.ts';
import { useMessageRowTexts } from '../words/messageRowTexts.ts';
import { clipCombiningMarks } from '../words/text/clipCombiningMarks.ts';
import { describeLines, personIdsOf } from './describeLines.ts';
import { ExplainedLine } from './ExplainedLine.tsx';
import { sealedRowsTexts } from './sealedRowsTexts.ts';
import type { EncryptionLine, TimelineLine } from './timelineLines.ts';

export interface SealedLinesProps {
  lines: readonly TimelineLine[];
}

/** Lines at one place between the messages of a sealed conversation. */
export function SealedLines({ lines }: SealedLinesProps) {
  const { t } = useTexts(sealedRowsTexts, notesTexts);
  const { names, locale } = useMessageRowTexts();
  const { engine } = useChat();
  const people = [...new Set(lines.flatMap(personIdsOf))].join(' ');
  useEffect(() => {
    if (people !== '') engine.wantNames(people.split(' '));
  }, [engine, people]);
  const encryption = lines.find((line): line is EncryptionLine => line.change.kind === 'encrypted');
  return (
    <>
      {encryption && <EncryptionNotice {...encryption.change} />}
      {describeLines(lines, names, t).map(({ text, at }, index) => (
        <p
          key={index}
          dir="auto"
          title={formatExactTime(at, locale)}
          className="mx-auto w-fit max-w-full px-4 py-1 text-center text-13 text-balance wrap-anywhere text-muted"
        >
          {clipCombiningMarks(text)}
        </p>
      ))}
      {lines.some(({ change }) => change.kind === 'missing') && (
        // A feed contains articles, not buttons.
        <article>
          <ExplainedLine icon={Unlink} text={t('sealedRows:missing')} why={t('sealedRows:missingWhy')} />
        </article>
      )}
    </>
  );
}

/** Says that messages below are encrypted, and those above not. */
function EncryptionNotice({ hasPlainAbove }: EncryptionLine['change']) {
  const { t } = useTexts(sealedRowsTexts);
  return (
    <article>
      <button
        type="button"
        onClick={() => detailsPaneStore.setState({ open: true })}
        className="mx-auto my-2 block w-fit max-w-120 rounded-card bg-sunken px-4 py-2 text-center text-13 text-pretty text-muted hover:bg-hover forced-colors:border"
      >
        <Lock aria-hidden="true" className="me-1.5 inline size-3.5 align-[-2px]" />
        {t(hasPlainAbove ? 'sealedRows:encryptedFromHere' : 'sealedRows:encrypted')}{' '}
        <span className="font-medium text-accent-text">{t('sealedRows:details')}</span>
      </button>
    </article>
  );
}

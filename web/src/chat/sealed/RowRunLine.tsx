import { ClockAlert, History, KeyRound, RefreshCw, ShieldAlert, Trash2, type LucideIcon } from 'lucide-react';
import { useId, useState } from 'react';
import { useStore } from 'zustand';
import { keysStore } from '../../keys/model/keysStore.ts';
import { useTexts } from '../../i18n/texts.ts';
import type { RowNote, RowRun } from './rowNotes.ts';
import { sealedTexts } from './sealedTexts.ts';

export interface RowRunLineProps {
  run: RowRun;
  /** Shows late rows. */
  onUnfold: (keys: readonly string[]) => void;
}

const icons: Partial<Record<RowNote, LucideIcon>> = {
  waiting: KeyRound,
  earlier: History,
  removed: Trash2,
  late: ClockAlert,
  version: RefreshCw,
};

const buttonClasses = 'tap shrink-0 rounded-control font-medium text-accent-text underline-offset-2 hover:underline';

/** Line in place of rows that are not shown, with the reason. */
export function RowRunLine({ run: { note, entries }, onUnfold }: RowRunLineProps) {
  const { t } = useTexts(sealedTexts);
  const [isOpen, setIsOpen] = useState(false);
  const whyId = useId();
  const isUnlinked = useStore(keysStore, ({ phase }) => phase.name === 'unlinked');
  const count = entries.length;
  const Icon = icons[note] ?? ShieldAlert;
  const explained =
    note === 'waiting' || note === 'earlier' || note === 'removed' || note === 'late' || note === 'version';
  return (
    <div data-bubble className="mx-auto w-fit max-w-120 px-4 py-1 text-center text-13 text-balance text-muted">
      <span className="flex flex-wrap items-baseline justify-center gap-x-2">
        <span className="wrap-anywhere">
          <Icon aria-hidden="true" className="me-1.5 inline size-3.5 align-[-2px]" />
          {explained
            ? t(`sealed:${note}`, { count })
            : `${t('sealed:refused', { count })} ${t(`sealed:refusedBecause.${note}`)}`}
        </span>
        {explained && (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={whyId}
            onClick={() => setIsOpen(!isOpen)}
            className={buttonClasses}
          >
            {t('sealed:why')}
          </button>
        )}
        {note === 'late' && (
          <button type="button" onClick={() => onUnfold(entries.map(({ key }) => key))} className={buttonClasses}>
            {t('sealed:show')}
          </button>
        )}
      </span>
      {explained && (
        <p id={whyId} hidden={!isOpen} className="mt-0.5">
          {t(note === 'waiting' && isUnlinked ? 'sealed:waitingSetUp' : `sealed:${note}Why`)}
        </p>
      )}
    </div>
  );
}

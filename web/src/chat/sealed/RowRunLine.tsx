import { ClockAlert, History, KeyRound, RefreshCw, ShieldAlert, Trash2 } from 'lucide-react';
import { useStore } from 'zustand';
import { keysStore } from '../../keys/model/keysStore.ts';
import { useTexts } from '../../i18n/texts.ts';
import { ExplainedLine } from './ExplainedLine.tsx';
import type { RowRun } from '../words/rowNotes.ts';
import { sealedRowsTexts } from './sealedRowsTexts.ts';

export interface RowRunLineProps {
  run: RowRun;
  /** Shows late rows. */
  onUnfold: (keys: readonly string[]) => void;
}

const icons = {
  waiting: KeyRound,
  earlier: History,
  earlierDraft: History,
  removed: Trash2,
  late: ClockAlert,
  version: RefreshCw,
};

/** Line in place of rows that are not shown, with the reason. */
export function RowRunLine({ run: { note, entries }, onUnfold }: RowRunLineProps) {
  const { t } = useTexts(sealedRowsTexts);
  const isUnlinked = useStore(keysStore, ({ phase }) => phase.name === 'unlinked');
  const count = entries.length;
  switch (note) {
    case 'waiting':
    case 'earlier':
    case 'earlierDraft':
    case 'removed':
    case 'late':
    case 'version':
      return (
        <ExplainedLine
          icon={icons[note]}
          text={t(`sealedRows:${note}`, { count })}
          why={t(note === 'waiting' && isUnlinked ? 'sealedRows:waitingSetUp' : `sealedRows:${note}Why`)}
          {...(note === 'late' && {
            action: { label: t('sealedRows:show'), onClick: () => onUnfold(entries.map(({ key }) => key)) },
          })}
        />
      );
    default:
      return (
        <ExplainedLine
          icon={ShieldAlert}
          text={`${t('sealedRows:refused', { count })} ${t(`sealedRows:refusedBecause.${note}`)}`}
        />
      );
  }
}

import type { Team } from '@nolo/api';
import { useMemo, useRef, useState } from 'react';
import { MemberPicker } from '../groups/MemberPicker.tsx';
import type { ListedPerson } from '../chat/groupCalls/person.ts';
import { FormDialog } from '../ui/FormDialog.tsx';
import { useBillingWords } from './useBillingWords.ts';
import { useTeamSeatActions } from './useTeamSeatActions.ts';

interface SeatInviteDialogProps {
  team: Team;
  /** Number of free seats. */
  free: number;
  /** Member whose seat is transferred. Absent: free seats are assigned. */
  from?: { id: string; name: string };
  onClose: () => void;
}

/** Chooses whom to invite to a seat: contacts at first, and search results by name, number or email address. */
export function SeatInviteDialog({ team, free, from, onClose }: SeatInviteDialogProps) {
  const { t } = useBillingWords();
  const { invite, move } = useTeamSeatActions();
  const search = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<readonly ListedPerson[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const excluded = useMemo(() => new Set(team.members.map(({ userId }) => userId)), [team]);

  const send = async () => {
    const [first] = chosen;
    if (first === undefined || chosen.length > free) {
      setProblem(
        first === undefined ? t('billing.teamPage.inviteNobody') : t('billing.teamPage.inviteTooMany', { count: free }),
      );
      search.current?.focus();
      return;
    }
    const done = await (from ? move(from.id, first.id) : invite(chosen.map(({ id }) => id)));
    if (done) onClose();
  };

  return (
    <FormDialog
      initialFocus={() => search.current}
      title={t(from ? 'billing.teamPage.moveTitle' : 'billing.teamPage.inviteTitle')}
      description={from ? t('billing.teamPage.moveText', { name: from.name }) : t('billing.teamPage.inviteText')}
      submitLabel={t('billing.teamPage.invite')}
      onClose={onClose}
      onSubmit={send}
    >
      <MemberPicker
        ref={search}
        label={t('billing.teamPage.invitePeople')}
        chosen={chosen}
        excluded={excluded}
        error={problem}
        onChange={(people) => {
          // A transferred seat has one new member.
          setChosen(from ? people.slice(-1) : people);
          setProblem(null);
        }}
      />
    </FormDialog>
  );
}

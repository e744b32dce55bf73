import { routes, type Team } from '@nolo/api';
import { useMemo, useRef, useState } from 'react';
import { call } from '../api/httpClient.ts';
import { MemberPicker } from '../groups/MemberPicker.tsx';
import type { ListedPerson } from '../chat/groupCalls/person.ts';
import { FormDialog } from '../ui/FormDialog.tsx';
import { useSeatAction } from './useSeatAction.ts';
import { useTexts } from '../i18n/texts.ts';
import { billingTexts } from './billingTexts.ts';

interface SeatInviteDialogProps {
  team: Team;
  free: number;
  /** Member whose seat is transferred. Absent: free seats are assigned. */
  from?: { id: string; name: string };
  onClose: () => void;
}

/** Chooses whom to invite to a seat: contacts at first, and search results by name, number or email address. */
export function SeatInviteDialog({ team, free, from, onClose }: SeatInviteDialogProps) {
  const { t } = useTexts(billingTexts);
  const invite = useSeatAction(
    async (userIds: readonly string[]) => {
      // Invites one user after another, because each takes a seat that the next may need.
      for (const userId of userIds) {
        await (from
          ? call(routes.moveSeat, { params: { id: from.id }, body: { userId } })
          : call(routes.inviteToSeat, { body: { userId } }));
      }
    },
    ({ length: count }) => (from ? t('billing:teamPage.moved') : t('billing:teamPage.invited', { count })),
    from ? undefined : t('billing:teamPage.inviteFailed'),
  );
  const search = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<readonly ListedPerson[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const excluded = useMemo(() => new Set(team.members.map(({ userId }) => userId)), [team]);

  const send = async () => {
    if (chosen.length === 0 || chosen.length > free) {
      setProblem(
        chosen.length === 0 ? t('billing:teamPage.inviteNobody') : t('billing:teamPage.inviteTooMany', { count: free }),
      );
      search.current?.focus();
      return;
    }
    if (await invite.run(chosen.map(({ id }) => id))) onClose();
  };

  return (
    <FormDialog
      initialFocus={() => search.current}
      title={t(from ? 'billing:teamPage.moveTitle' : 'billing:teamPage.inviteTitle')}
      description={from ? t('billing:teamPage.moveText', { name: from.name }) : t('billing:teamPage.inviteText')}
      submitLabel={t('billing:teamPage.invite')}
      onClose={onClose}
      onSubmit={send}
    >
      <MemberPicker
        ref={search}
        label={t('billing:teamPage.invitePeople')}
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

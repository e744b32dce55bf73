import { routes, type Conversation, type RouteReply } from '@nolo/api';
import { signAdditions } from '@nolo/client/chat/sealedDecisions';
import { limits } from '@nolo/rules';
import { useMemo, useRef, useState } from 'react';
import { ApiError, call } from '../api/httpClient.ts';
import { showFailure } from '../ui/failures.ts';
import { toast } from '../ui/toasts.ts';
import { FormDialog } from '../ui/FormDialog.tsx';
import { useChat } from '../chat/context/chatContext.ts';
import { useGroupMembers } from '../chat/context/groupScreenQueries.ts';
import { MemberPicker } from './MemberPicker.tsx';
import type { ListedPerson } from '../chat/groupCalls/person.ts';
import { useChangeByRoute } from './useChangeByRoute.ts';
import { useGroupAction } from './useGroupAction.ts';
import { useTexts } from '../i18n/texts.ts';
import { groupsTexts } from './groupsTexts.ts';

export function AddMembersDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const { t } = useTexts(groupsTexts);
  const report = ({ members: now, skipped, invited }: RouteReply<typeof routes.addGroupMembers>) => {
    const refused = skipped.filter(({ reason }) => reason !== 'already_member').length;
    const [title = '', ...more] = [
      ...(now.length > 0 || invited.length === 0 ? [t('groups:details.added', { count: now.length })] : []),
      ...(invited.length > 0 ? [t('groups:details.areInvited', { count: invited.length })] : []),
      ...(refused > 0 ? [t('groups:details.notAdded', { count: refused })] : []),
    ];
    const description = more.length > 0 ? { description: more.join(' ') } : {};
    if (refused > 0 && now.length + invited.length === 0) {
      showFailure({ title, ...description });
      return;
    }
    toast({ kind: 'success', title, ...description });
    onClose();
  };
  const { engine } = useChat();
  const change = useChangeByRoute(conversation.id);
  const addMembers = async (userIds: string[]) => {
    const additions = await signAdditions(engine, conversation.id, userIds);
    const send = (epoch = {}) =>
      call(routes.addGroupMembers, {
        params: { id: conversation.id },
        body: { userIds, ...(additions.length > 0 && { additions: [...additions] }), ...epoch },
      });
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'encryption_required') throw error;
      // The epoch of an encrypted group names those who enter at once. Who is asked first enters with the addition.
      const { userIds: entering = userIds } = error.details as { userIds?: string[] };
      return change(
        entering.map((userId) => ({ kind: 'add', userId })),
        send,
      );
    }
  };
  const adding = useGroupAction(conversation.id, addMembers, {
    failure: t('groups:details.addFailed'),
    onDone: report,
  });
  const { members } = useGroupMembers(conversation.id);
  const search = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<readonly ListedPerson[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const excluded = useMemo(() => new Set(members?.map(({ userId }) => userId)), [members]);

  const add = async () => {
    const wrong =
      chosen.length === 0
        ? t('groups:problem.members')
        : chosen.length > limits.groupMembersPerRequest
          ? t('groups:form.tooMany', { count: limits.groupMembersPerRequest })
          : null;
    if (wrong !== null) {
      setProblem(wrong);
      search.current?.focus();
      return;
    }
    await adding.run(chosen.map(({ id }) => id));
  };

  return (
    <FormDialog
      initialFocus={() => search.current}
      title={t('groups:details.addMembers')}
      submitLabel={t('groups:details.add')}
      busyLabel={t('groups:details.adding')}
      dirty={chosen.length > 0}
      onClose={onClose}
      onSubmit={add}
    >
      <MemberPicker
        ref={search}
        chosen={chosen}
        excluded={excluded}
        withStrangers
        error={problem}
        onChange={(people) => {
          setChosen(people);
          setProblem(null);
        }}
      />
    </FormDialog>
  );
}

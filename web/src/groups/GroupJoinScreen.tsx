import { routes, type GroupPreview } from '@nolo/api';
import { useQuery } from '@tanstack/react-query';
import { Globe, Hourglass, Lock } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { call } from '../api/httpClient.ts';
import { unlessMissing } from '../chat/conversation/useConversationLookup.ts';
import { useChatState } from '../chat/context/chatContext.ts';
import { useDocumentTitle } from '../shell/routeHandle.ts';
import { useAction } from '../ui/useAction.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Button } from '../ui/Button.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { MessageListSkeleton } from '../chat/conversation/MessageListSkeleton.tsx';
import { groupPath, type GroupInvite } from './groupAddress.ts';
import { ConversationMissing, NoConversation } from '../chat/conversation/NoConversation.tsx';
import { groupKeys, useRefetchOnReconnect } from '../chat/context/groupQueries.ts';
import { useJoinGroup } from './useJoinGroup.ts';
import { useTexts } from '../i18n/texts.ts';
import { groupTexts } from '../chat/words/groupTexts.ts';
import { groupsTexts } from './groupsTexts.ts';

export interface GroupJoinScreenProps {
  code: string;
  invite: GroupInvite | undefined;
}

/**
 * Admission page for a group's code in the address: leads members to the group, and lets others see its name and join
 * or ask to join.
 */
export function GroupJoinScreen({ code, invite }: GroupJoinScreenProps) {
  const { t } = useTexts(groupsTexts);
  const navigate = useNavigate();
  const connected = useChatState((state) => state.connection === 'open');
  // A group known on this device needs no request and no connection.
  const known = useChatState(
    (state) => Object.values(state.conversations).find(({ group }) => group?.roomCode === code)?.id,
  );
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: groupKeys.preview(code),
    queryFn: async ({ signal }) =>
      (await unlessMissing(call(routes.getGroupChat, { params: { idOrCode: code }, signal }))) ?? 'missing',
    enabled: known === undefined,
    staleTime: 0,
    gcTime: 0,
  });
  // The app misses events about the user's join request while disconnected.
  useRefetchOnReconnect(groupKeys.preview(code));
  const id = known ?? (typeof data === 'object' && data.membership === 'member' ? data.id : undefined);
  useEffect(() => {
    if (id !== undefined) void navigate(groupPath(id), { replace: true });
  }, [id, navigate]);

  const body = () => {
    if (data === 'missing')
      return <ConversationMissing title={t('chats.groupNotFound')} text={t('groups:admission.notFoundText')} />;
    if (data !== undefined && data.membership !== 'member') {
      return <GroupJoinPreview preview={data} code={code} invite={invite} onRequested={() => void refetch()} />;
    }
    if (isError) {
      return (
        <ErrorState
          className="flex-1"
          title={t('groups:admission.loadFailed')}
          {...(connected ? {} : { description: t('groups:admission.offline') })}
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      );
    }
    return <MessageListSkeleton />;
  };
  return <NoConversation>{body()}</NoConversation>;
}

function GroupJoinPreview(props: GroupJoinScreenProps & { preview: GroupPreview; onRequested: () => void }) {
  const { preview, code, invite, onRequested } = props;
  const { t } = useTexts(groupsTexts);
  const navigate = useNavigate();
  const { join, withdraw, failureText } = useJoinGroup();
  const { name, pictureUrl, memberCount, maxMembers, isPublic, guarded, membership } = preview;
  // The server reveals nothing but the code while codes are being guessed.
  const title = name || code;
  useDocumentTitle(title);
  const direct = (isPublic && !guarded) || invite !== undefined;

  const entering = useAction(() => join(code, invite), {
    failure: (error) => ({ title: t('groups:problem.join'), description: failureText(error) }),
  });
  const enter = async () => {
    const outcome = (await entering.run())?.result;
    if (outcome?.joined) void navigate(groupPath(outcome.id), { replace: true });
    else onRequested();
  };
  const withdrawing = useAction(() => withdraw(code, name), {
    failure: (error) => ({ title: t('groups:problem.withdraw'), description: failureText(error) }),
  });

  const below = (): ReactNode => {
    if (membership === 'banned')
      return (
        <StatusNotice title={t('groups:admission.bannedTitle', { name })} text={t('groups:admission.bannedText')} />
      );
    if (memberCount >= maxMembers) {
      return <StatusNotice title={t('groups:admission.fullTitle', { name })} text={t('groups:admission.fullText')} />;
    }
    // People who only wait for a public group because of code guessing can join once it stops.
    if (membership === 'waiting' && !direct) {
      return (
        <>
          <StatusNotice
            icon={<Hourglass aria-hidden="true" className="size-5 text-accent-text" />}
            title={t('groups:admission.waitingTitle')}
            text={t(guarded ? 'groups:admission.waitingGuardedText' : 'groups:admission.waitingText', { name })}
          />
          {/* If the user is admitted at this moment, the refetched state lets them in. */}
          <Button
            kind="secondary"
            className="mt-4"
            busy={withdrawing.busy}
            onClick={() => void withdrawing.run().then(onRequested)}
          >
            {t(withdrawing.busy ? 'groups:admission.withdrawing' : 'groups:admission.withdraw')}
          </Button>
        </>
      );
    }
    return (
      <>
        <p className="max-w-80 text-14 text-balance text-muted">
          {t(
            invite !== undefined
              ? 'groups:admission.inviteText'
              : guarded
                ? 'groups:admission.guardedText'
                : isPublic
                  ? 'groups:admission.publicText'
                  : 'groups:admission.privateText',
          )}
        </p>
        <Button size="large" className="mt-5 min-w-44" busy={entering.busy} onClick={() => void enter()}>
          {t(entering.busy ? 'groups:admission.joining' : direct ? 'groups:admission.join' : 'groups:admission.ask')}
        </Button>
      </>
    );
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col items-center overflow-y-auto px-6 py-10 text-center">
      <div className="my-auto flex max-w-full flex-col items-center">
        <Avatar name={title} imageUrl={pictureUrl} size={96} />
        <h1 dir="auto" className="mt-4 max-w-120 text-24 font-semibold text-balance wrap-anywhere">
          {title}
        </h1>
        <p className="mt-1 mb-5 flex flex-wrap items-center justify-center gap-x-2 text-14 text-muted">
          {name !== '' && <GroupFacts isPublic={isPublic} memberCount={memberCount} />}
        </p>
        {below()}
      </div>
    </div>
  );
}

function StatusNotice({ icon, title, text }: { icon?: ReactNode; title: string; text: string }) {
  return (
    <div
      role="status"
      className="flex max-w-96 flex-col items-center rounded-card border border-line bg-raised px-6 py-5"
    >
      {icon}
      <h2 className="text-16 font-semibold text-balance wrap-anywhere">{title}</h2>
      <p className="mt-1 text-14 text-balance text-muted">{text}</p>
    </div>
  );
}

/** Visibility and size of a group, in one line. */
export function GroupFacts({ isPublic, memberCount }: { isPublic: boolean; memberCount: number }) {
  const { t } = useTexts(groupTexts, groupsTexts);
  const Icon = isPublic ? Globe : Lock;
  return (
    <>
      <span className="inline-flex items-center gap-1.5">
        <Icon aria-hidden="true" className="size-4" />
        {t(isPublic ? 'groups:admission.public' : 'groups:admission.private')}
      </span>
      <span aria-hidden="true">·</span>
      <span className="tabular">{t('group:members', { count: memberCount })}</span>
    </>
  );
}

import { routes, type Conversation } from '@nolo/api';
import { call } from '../api/httpClient.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { conversationName } from '../chat/words/conversationName.ts';
import { PictureEditor } from '../account/profile/PictureEditor.tsx';
import { GroupFacts } from './GroupJoinScreen.tsx';
import { isAdminOrOwner } from './groupRights.ts';
import { useTexts } from '../i18n/texts.ts';
import { groupsTexts } from './groupsTexts.ts';

export function GroupCard({ conversation }: { conversation: Conversation }) {
  const { t } = useTexts();
  const { pictureUrl, description, memberCount, group, myRole } = conversation;
  const name = conversationName(conversation, t);
  return (
    <div className="flex flex-col items-center px-5 text-center">
      {isAdminOrOwner(myRole) ? (
        <GroupPicture conversation={conversation} name={name} />
      ) : (
        <Avatar name={name} imageUrl={pictureUrl} size={96} />
      )}
      <h3 dir="auto" className="mt-3 max-w-full text-20 font-semibold wrap-anywhere">
        {name}
      </h3>
      <p className="mt-0.5 flex flex-wrap items-center justify-center gap-x-2 text-14 text-muted">
        <GroupFacts isPublic={group?.isPublic === true} memberCount={memberCount} />
      </p>
      {description !== null && description !== '' && (
        <p dir="auto" className="mt-3 max-w-full text-14 wrap-anywhere whitespace-pre-line">
          {description}
        </p>
      )}
    </div>
  );
}

function GroupPicture({ conversation, name }: { conversation: Conversation; name: string }) {
  const { t } = useTexts(groupsTexts);
  const { id, pictureUrl } = conversation;
  return (
    <PictureEditor
      name={name}
      imageUrl={pictureUrl}
      changeLabel={t('groups:details.changePicture')}
      title={t('groups:details.picture')}
      target={{
        purpose: 'group_picture',
        put: async (pictureURL, signal) => {
          await call(routes.setGroupPicture, { params: { id }, body: { pictureURL }, signal });
        },
        remove: async () => {
          await call(routes.removeGroupPicture, { params: { id } });
        },
        done: t('groups:details.pictureChanged'),
        failed: t('groups:details.pictureFailed'),
      }}
    />
  );
}

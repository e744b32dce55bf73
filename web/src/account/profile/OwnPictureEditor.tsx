import { routes } from '@nolo/api';
import { call } from '../../api/httpClient.ts';
import { refreshSelf, useSelf } from '../../session/self.ts';
import { PictureEditor } from './PictureEditor.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { profileTexts } from './profileTexts.ts';

/** User's own picture with the camera button that changes it. `name` gives the initial while there is no picture. */
export function OwnPictureEditor({ name }: { name: string }) {
  const { t } = useTexts(profileTexts);
  const { profileImageUrl } = useSelf();
  return (
    <PictureEditor
      name={name}
      imageUrl={profileImageUrl}
      changeLabel={t('profile:changePicture')}
      title={t('profile:pictureTitle')}
      target={{
        purpose: 'profile_image',
        put: async (profileImageURL, signal) => {
          await call(routes.setProfileImage, { body: { profileImageURL }, signal });
          await refreshSelf();
        },
        remove: async () => {
          await call(routes.removeProfileImage);
          await refreshSelf();
        },
        done: t('profile:updated'),
        failed: t('profile:pictureErrors.update.text'),
      }}
    />
  );
}

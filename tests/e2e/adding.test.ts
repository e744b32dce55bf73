import { randomUUID } from 'node:crypto';
import { ContactsPage } from './pages/ContactsPage.ts';
import { Toasts } from './pages/Toasts.ts';
import { createCastMember } from './support/cast.ts';
import { setUpJourney } from './support/journey.ts';
import { waitUntilHidden, waitUntilVisible } from './support/waitFor.ts';
import { en } from './support/words.ts';

const { story, openPage, url } = setUpJourney();

story('two people find each other by username and by link, without revealing a number', async () => {
  const [ada, ben] = await Promise.all([createCastMember(url(), 'Ada Adams'), createCastMember(url(), 'Ben Botha')]);
  const username = `ada.${randomUUID().slice(-12)}`;
  const ada1 = await openPage({ as: ada.user, path: '/settings/account' });
  const field = ada1.page.getByRole('textbox', { name: en.profile.username });
  await field.fill(`@${username.toUpperCase()}`);
  await field.press('Enter');
  await new Toasts(ada1.page).expectShown(en.profile.usernameSaved);

  const ben1 = await openPage({ as: ben.user, path: '/contacts', device: 'phone' });
  const ofBen = new ContactsPage(ben1.page);
  await ofBen.addByUsername(username);
  await waitUntilVisible(ofBen.row(ada.name));

  await ofBen.openOwnLink();
  await waitUntilVisible(ofBen.ownLink.getByRole('img', { name: en.contacts.linkPicture }));
  const { pathname, hash } = new URL(await ofBen.link.inputValue());
  const link = pathname + hash;
  await ada1.go(link);
  const ofAda = new ContactsPage(ada1.page);
  await waitUntilVisible(ofAda.dialog.getByText(ben.name));
  await ofAda.submit.click();
  await waitUntilHidden(ofAda.dialog);
  await waitUntilVisible(ofAda.row(ben.name));

  // The previous link stops working.
  await ofBen.ownLink.getByRole('button', { name: en.contacts.linkRenew }).click();
  await ben1.page.getByRole('alertdialog').getByRole('button', { name: en.contacts.linkRenew }).click();
  await new Toasts(ben1.page).expectShown(en.contacts.linkRenewed);
  await ada1.go(link);
  await waitUntilVisible(ofAda.dialog.getByText(en.contacts.linkGone));
});

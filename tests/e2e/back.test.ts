import { randomPhone } from '@nolo/testing';
import { ChatsPage } from './pages/ChatsPage.ts';
import { LandingPage } from './pages/LandingPage.ts';
import { MediaConversationPage } from './pages/MediaConversationPage.ts';
import { befriend, createCastMember, sendMessage } from './support/cast.ts';
import { setUpJourney } from './support/journey.ts';
import { aPhotograph } from './support/mediaFiles.ts';
import { waitForPath, waitUntilHidden, waitUntilVisible } from './support/waitFor.ts';
import { en } from './support/words.ts';

const { story, openPage, url } = setUpJourney();

async function threeWithWords() {
  const [ada, ben, cleo] = await Promise.all([
    createCastMember(url(), 'Ada Adams'),
    createCastMember(url(), 'Ben Botha'),
    createCastMember(url(), 'Cleo Cele'),
  ]);
  const withBen = await befriend(ada, ben);
  const withCleo = await befriend(ada, cleo);
  await sendMessage(ben, withBen, 'Did you go up?');
  await sendMessage(cleo, withCleo, 'Are you there?');
  return { ada, ben, cleo, withBen };
}

story('the phone’s Back closes whatever covers a conversation before leaving it', async () => {
  const { ada, ben, cleo, withBen } = await threeWithWords();
  const { page } = await openPage({ as: ada.user, device: 'phone', path: '/' });
  const chats = new ChatsPage(page);
  const chat = new MediaConversationPage(page, ben.name);
  const details = page.getByRole('dialog', { name: en.shell.details });
  await chats.row(ben.name).click();
  await waitUntilVisible(chat.message('Did you go up?'));
  await chat.give([await aPhotograph('Saddle.jpg', '#1db584')]);
  await chat.sendFiles(1).click();
  await waitUntilVisible(chat.pictures(en.common.you).first());

  await chat.pictures(en.common.you).first().click();
  await waitUntilVisible(chat.viewer);
  await page.goBack();
  await waitUntilHidden(chat.viewer);
  await waitUntilVisible(chat.message('Did you go up?'));

  // A dialog over a pane: Back closes one after the other.
  await chat.info.click();
  await waitUntilVisible(details);
  await details.getByRole('button', { name: en.conversation.block }).click();
  const question = page.getByRole('alertdialog');
  await waitUntilVisible(question);
  await page.goBack();
  await waitUntilHidden(question);
  await waitUntilVisible(details);
  await page.goBack();
  await waitUntilHidden(details);
  await waitForPath(page, `/chat/${withBen}`);

  await page.goBack();
  await waitForPath(page, '/');

  // Details belong to one conversation and are not open over the next.
  await chats.row(ben.name).click();
  await chat.info.click();
  await waitUntilVisible(details);
  await page.goBack();
  await page.goBack();
  await chats.row(cleo.name).click();
  await waitUntilVisible(new MediaConversationPage(page, cleo.name).message('Are you there?'));
  await waitUntilHidden(details);
});

story('Back goes step by step from the code to the number and to the landing page', async () => {
  const { page } = await openPage({ path: '/' });
  const landing = new LandingPage(page);
  const signIn = await landing.startWithPhone();
  await signIn.requestCode(randomPhone());
  await page.goBack();
  await waitUntilVisible(signIn.number);
  await page.goBack();
  await waitUntilVisible(landing.headline);
  await waitForPath(page, '/');
});

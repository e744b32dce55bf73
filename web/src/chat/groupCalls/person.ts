/** Person as shown in lists of people. */
export interface Person {
  id: string;
  displayName: string;
  profileImageUrl: string | null;
}

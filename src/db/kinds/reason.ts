/** What the server said, to stand within a sentence that has a full stop of its own. */
export const reason = ({ message }: { readonly message: string }): string => message.replace(/\.$/, '')

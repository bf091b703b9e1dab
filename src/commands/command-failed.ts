/** A command cannot do what it was asked for; the message is for the person at the terminal. */
export class CommandFailed extends Error {}

import { hideToast, notifyFailure, notifySuccess } from './notify.tsx';

/** A title, or a title with a message. */
type Said = string | readonly [title: string, message: string];

export type ActWords<Result> = {
  /** The title of the red toast, above the message of the error. */
  failed: string;
  /** The green toast. */
  done?: Said | ((result: Result) => Said);
  /** What the green toast is about: it replaces an earlier one about the same. */
  about?: string;
  /** Said of an error that has no words of its own. */
  fallback?: string;
  /** Shows a refusal elsewhere, such as at its field; false where that is not possible. */
  refused?: (error: unknown) => boolean;
};

/** The toast of each act that failed last, by its words: it goes when the act is done after all. */
const failures = new Map<string, string>();

/** Waits for what was begun, and says in a toast what came of it, or why it failed. Answers whether it was done. */
export async function act<Result>(
  begun: Promise<Result>,
  { failed, fallback, done, about, refused = () => false }: ActWords<Result>,
): Promise<boolean> {
  const words = `${failed}|${fallback}`;
  try {
    const result = await begun;
    hideToast(failures.get(words) ?? '');
    failures.delete(words);
    const said = typeof done === 'function' ? done(result) : done;
    if (said === undefined) return true;
    const [title, message] = typeof said === 'string' ? [said] : said;
    notifySuccess(title, message, about === undefined ? undefined : { about });
    return true;
  } catch (error) {
    if (!refused(error)) failures.set(words, notifyFailure(failed, error, fallback));
    return false;
  }
}

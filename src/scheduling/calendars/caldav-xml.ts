import sax from 'sax';
import { CalendarError } from './calendar-error.ts';

/** Tags, attributes, texts and the like: enough for 1,500 events. */
const maxMarks = 40_000;
const maxNames = 100;
const maxLength = 2 * 1024 * 1024;

/**
 * Checks responses before tsdav's parser, which accepts broken documents and takes long for each
 * fault. The limits are for all responses of one reading. @throws CalendarError
 */
export function createXmlGuard(): (text: string) => void {
  let [marks, length] = [0, 0];
  return (text) => {
    length += text.length;
    if (length > maxLength) throw new CalendarError('too_large');
    const names = new Set<string>();
    const addOne = (): void => {
      marks += 1;
      if (marks > maxMarks || names.size > maxNames) throw new CalendarError('too_large');
    };
    const refuse = (): never => {
      throw new CalendarError('not_a_calendar');
    };
    const xml = sax.parser(true);
    xml.onerror = refuse;
    xml.ondoctype = refuse;
    xml.onopentag = ({ name }) => {
      names.add(name);
      addOne();
    };
    xml.onattribute = addOne;
    xml.onclosetag = addOne;
    xml.ontext = addOne;
    xml.onopencdata = addOne;
    xml.oncomment = addOne;
    xml.onprocessinginstruction = addOne;
    xml.write(text).close();
    const [root = ''] = names;
    if (!/^(?:[^:]+:)?multistatus$/.test(root)) refuse();
  };
}

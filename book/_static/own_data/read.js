/* What a CSV file holds: columns of numbers or texts, or the sentence that says why it is none. */
"use strict";
(() => {
  const ownData = (window.ownData ??= {});
  const MISSING = new Set(["", "na", "n.a.", "n/a", "nan", "null", "?", "-"]); // in small letters
  const isMissing = (cell) => MISSING.has(cell.toLowerCase());
  const CODES = "A missing entry is empty or one of NA, n.a., N/A, nan, null, ? and -.";
  const plain = (point) => `[-+]?(\\d+${point}?\\d*|${point}\\d+)(e[-+]?\\d+)?`;
  const grouped = (point, group) => `[-+]?[1-9]\\d{0,2}(${group}\\d{3})+(${point}\\d*)?`;
  const numbersWith = (point, group) =>
    new RegExp(`^(${plain(point)}|${grouped(point, group)})$`, "i");
  const POINT = numbersWith("\\.", ",");
  const COMMA = numbersWith(",", "\\.");
  const isNumber = (cell) => POINT.test(cell) || COMMA.test(cell);
  const INFINITE = /^[-+]?inf(inity)?$/i;
  // 2024-01-31 or 31.1.2024 or 1/31/24, and a time after it
  const DATE =
    /^(\d{4}([-/.])\d{1,2}\2\d{1,2}|\d{1,2}([-/.])\d{1,2}\3(\d{4}|\d{2}))([T ]\d{1,2}:\d{2}\S*)?$/;
  const MOSTLY = 0.8; // the share of numbers above which a text among them is a mistake
  const BLANKS = /^([^\S\ufeff]|[\x1c-\x1f\x85])+|([^\S\ufeff]|[\x1c-\x1f\x85])+$/g; // str.strip

  /** The text of a file's bytes, and the name of its encoding. */
  function decode(bytes) {
    if (bytes.length === 0) throw new Error("The file is empty.");
    if (bytes.includes(0)) throw new Error("The file is not text: save the table as CSV.");
    try {
      return [new TextDecoder("utf-8", { fatal: true }).decode(bytes), "utf-8-sig"];
    } catch {
      if (bytes.some((byte) => [0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte))) {
        throw new Error("The file is neither UTF-8 nor Windows-1252: save the table as CSV UTF-8.");
      }
      return [new TextDecoder("windows-1252").decode(bytes), "cp1252"];
    }
  }

  /** Rows of texts with the places that a spreadsheet gives them: the first row is 1. */
  function split(text) {
    const plain = text.replace(/\r\n?/g, "\n");
    const tried = ["\t", ";", ","].map((delimiter) => splitAt(plain, delimiter));
    const width = ({ rows }) => rows[0]?.cells.length ?? 0;
    // a sign that makes all rows equally long parts entries; the others may stand in them
    const regular = tried.filter((found) => {
      const same = found.rows.every(({ cells }) => cells.length === width(found));
      return same && width(found) > 1 && !found.quotes;
    });
    const widest = tried.reduce((a, b) => (width(b) > width(a) ? b : a));
    const { rows, delimiter, quotes } = regular[0] ?? widest;
    if (quotes) throw new Error(`Row ${quotes.row + 1}: a quotation mark is not closed.`);
    return [rows, delimiter];
  }

  function splitAt(text, delimiter) {
    const { data, errors } = Papa.parse(text, { delimiter, newline: "\n" });
    const rows = data
      .map((cells, i) => ({ place: i + 1, cells: cells.map((cell) => cell.replace(BLANKS, "")) }))
      .filter(({ cells }) => cells.length > 1 || cells[0] !== "");
    return { rows, delimiter, quotes: errors.find(({ type }) => type === "Quotes") };
  }

  function checkHeader({ place, cells }) {
    if (cells.every(isNumber)) {
      throw new Error(`Row ${place} holds numbers: put a row with the columns' names above it.`);
    }
    cells.forEach((name, k) => {
      if (name === "") throw new Error(`Row ${place}, column ${k + 1}: the column has no name.`);
      const first = cells.indexOf(name);
      if (first < k) {
        throw new Error(
          `Row ${place}: columns ${first + 1} and ${k + 1} are both named “${name}”.`,
        );
      }
    });
  }

  /** The entries that are there, and whether they are numbers, whatever their commas mean. */
  function lookAt(cells) {
    const seen = cells.filter((cell) => !isMissing(cell));
    const count = seen.filter((cell) => isNumber(cell) || INFINITE.test(cell)).length;
    return { seen, numeric: seen.length > 0 && count >= MOSTLY * seen.length };
  }

  /** Whether commas of numbers are decimal; an Error with `asks` where the reader has to say. */
  function findDecimal(names, rows, answer) {
    const cells = names.flatMap((name, k) => {
      const found = rows.map(({ place, cells }) => ({ name, place, cell: cells[k] }));
      return lookAt(found.map(({ cell }) => cell)).numeric ? found : [];
    });
    const where = ({ name, place, cell }) => `“${cell}” (row ${place}, column “${name}”)`;
    const point = cells.find(({ cell }) => POINT.test(cell) && !COMMA.test(cell));
    const comma = cells.find(({ cell }) => COMMA.test(cell) && !POINT.test(cell));
    if (point && comma) {
      throw new Error(
        `${where(point)} has a decimal point or commas between thousands, ${where(comma)} does not fit this: write all numbers alike.`,
      );
    }
    const unclear = cells.find(({ cell }) => cell.includes(",") && isNumber(cell));
    if (!unclear || point || comma) return Boolean(comma);
    if (answer) return answer === "decimal";
    const question = `The comma of ${where(unclear)} can be decimal or stand between thousands. Which is it?`;
    throw Object.assign(new Error(question), { asks: true });
  }

  /** A column of the table, numeric where most of its entries are numbers; NaN is missing. */
  function readColumn(name, cells, places, comma) {
    const valueOf = (cell) =>
      Number(comma ? cell.replaceAll(".", "").replace(",", ".") : cell.replaceAll(",", ""));
    const { seen, numeric } = lookAt(cells);
    const missing = cells.length - seen.length;
    if (seen.length === 0) return { name, kind: "empty", missing };
    if (!numeric) {
      const texts = cells.map((cell) => (isMissing(cell) ? null : cell));
      const kind = seen.every((cell) => DATE.test(cell)) ? "date" : "text";
      return { name, kind, missing, texts, levels: [...new Set(seen)].sort() };
    }
    const numbers = cells.map((cell, i) => {
      if (isMissing(cell)) return NaN;
      const value = isNumber(cell) ? valueOf(cell) : NaN;
      if (Number.isFinite(value)) return value;
      const infinite = INFINITE.test(cell) || isNumber(cell);
      const wrong = infinite ? "no finite number." : `no number. ${CODES}`;
      throw new Error(`Row ${places[i]}, column “${name}”: “${cell}” is ${wrong}`);
    });
    return { name, kind: "number", missing, numbers };
  }

  /**
   * A table of a file's bytes; an Error says what is wrong, and in which row and column. `answer`
   * says whether commas that can be both are "decimal" or stand between "thousands".
   */
  ownData.read = (bytes, answer) => {
    const [text, encoding] = decode(bytes);
    const [[header, ...rows], delimiter] = split(text);
    if (!header) throw new Error("The file is empty.");
    if (header.cells.length < 2) {
      throw new Error(
        "The file has one column: put commas, semicolons or tabs between inputs and outputs.",
      );
    }
    checkHeader(header);
    if (rows.length === 0) throw new Error("The file has a row of names, and no other.");
    const ragged = rows.find(({ cells }) => cells.length !== header.cells.length);
    if (ragged) {
      const counts = `${ragged.cells.length} entries, where row ${header.place} names`;
      throw new Error(`Row ${ragged.place} has ${counts} ${header.cells.length} columns.`);
    }
    const comma = findDecimal(header.cells, rows, answer);
    const places = rows.map(({ place }) => place);
    const columns = header.cells.map((name, k) =>
      readColumn(
        name,
        rows.map(({ cells }) => cells[k]),
        places,
        comma,
      ),
    );
    if (!columns.some(({ kind }) => kind === "number")) {
      throw new Error("No column holds numbers: an output has to be one of numbers.");
    }
    const codes = [...new Set(rows.flatMap(({ cells }) => cells.filter(isMissing)))].sort();
    return { columns, places, delimiter, comma, encoding, codes };
  };
})();

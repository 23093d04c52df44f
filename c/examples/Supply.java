import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The example of supply.c in Java 11 and newer, by JNA, as a module of VASSAL would call it: {@code Supply UNIT SPACE FILE.sut...}.
 * From Java 22 on the foreign functions of Java itself do the same without JNA.
 */
public final class Supply {
  /** What sutler.h declares. */
  public interface Sutler extends Library {
    long sutler_open();

    void sutler_close(long context);

    Pointer sutler_call(long context, byte[] call, NativeSize length);

    void sutler_free(Pointer answer);

    String sutler_version();
  }

  /** A {@code size_t}. */
  public static final class NativeSize extends com.sun.jna.IntegerType {
    private static final long serialVersionUID = 1L;

    public NativeSize() {
      this(0);
    }

    public NativeSize(long value) {
      super(Native.SIZE_T_SIZE, value, true);
    }
  }

  private static final Sutler SUTLER = Native.load("sutler_c", Sutler.class);
  private static final long CONTEXT = SUTLER.sutler_open();

  private static String ask(String call) {
    byte[] bytes = call.getBytes(StandardCharsets.UTF_8);
    Pointer answer = SUTLER.sutler_call(CONTEXT, bytes, new NativeSize(bytes.length));
    try {
      String text = answer.getString(0, "UTF-8");
      if (!text.startsWith("{\"ok\":")) throw new IllegalArgumentException(text);
      return text;
    } finally {
      SUTLER.sutler_free(answer);
    }
  }

  private static long number(String answer, String name) {
    Matcher found = Pattern.compile("\"" + name + "\":(\\d+)").matcher(answer);
    return found.find() ? Long.parseLong(found.group(1)) : 0;
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c < 0x20) quoted.append(String.format("\\u%04x", (int) c));
      else if (c == '"' || c == '\\') quoted.append('\\').append(c);
      else quoted.append(c);
    }
    return quoted.append('"').toString();
  }

  public static void main(String[] words) throws IOException {
    List<String> texts = new ArrayList<>();
    for (int at = 2; at < words.length; at++) {
      Path path = Path.of(words[at]);
      texts.add(quoted(path.getFileName().toString()) + ":" + quoted(Files.readString(path)));
    }
    long rules = number(ask("{\"call\":\"open\",\"texts\":{" + String.join(",", texts) + "}}"), "rules");
    long game = number(ask("{\"call\":\"game\",\"rules\":" + rules + "}"), "game");
    long position = number(ask("{\"call\":\"setup\",\"game\":" + game + "}"), "position");
    String of = ",\"position\":" + position;
    System.out.println(ask("{\"call\":\"trace\"" + of + "}"));
    System.out.println(ask("{\"call\":\"move\"" + of + ",\"unit\":" + quoted(words[0]) + ",\"to\":" + quoted(words[1]) + "}"));
    System.out.println(ask("{\"call\":\"explain\"" + of + ",\"of\":" + quoted(words[0]) + "}"));
    SUTLER.sutler_close(CONTEXT);
  }
}

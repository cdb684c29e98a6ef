package dev.xsched.cli.report;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Pages and pictures as a parser sees them that forgives nothing. */
public final class Xml {
  private Xml() {}

  public static Document parse(String xml) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(xml)));
  }

  /** All elements of that name. */
  public static List<Element> all(Document document, String name) {
    NodeList nodes = document.getElementsByTagName(name);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }

  /** All elements of that name whose class contains a word. */
  public static List<Element> all(Document document, String name, String word) {
    return all(document, name).stream()
        .filter(e -> List.of(e.getAttribute("class").split(" ", -1)).contains(word))
        .toList();
  }

  /** What people read in a picture. */
  public static List<String> texts(Document document) {
    return all(document, "text").stream().map(Element::getTextContent).toList();
  }
}
